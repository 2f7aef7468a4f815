package dev.strake.server.http;

/** A request that may be asked, and the route that answers it; an attribute of Jetty's request. */
record Exchange(Route route, Request asked) {

    static final String ATTRIBUTE = Exchange.class.getName();
}
