package dev.strake.remote.fetch.policy;

import dev.strake.remote.fetch.policy.FetchException.Code;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Restricts the places and sizes of fetches. Addresses come from documents. Without a policy, any author of a document
 * could read what only the fetcher can reach.
 *
 * @param hosts allowed hosts, with or without a port: {@code example.org}, {@code *.example.org}, {@code
 *     example.org:8443}; empty to allow all
 * @param privateNetworks private addresses that are allowed: {@code 10.1.0.0/16}, {@code ::1}. All other private, local
 *     and reserved addresses are refused
 * @param folders folders that may contain repositories of the scheme {@code file}
 * @param maxBytes the maximum size of one response, unpacked, and of all responses for one resource
 * @param timeout the timeout for one response as a whole
 */
public record FetchPolicy(
        List<String> hosts, List<Network> privateNetworks, List<Path> folders, long maxBytes, Duration timeout) {

    /** Public addresses only, with 16 MiB and 60 s for each response. */
    public static final FetchPolicy DEFAULT =
            new FetchPolicy(List.of(), List.of(), List.of(), 16L << 20, Duration.ofSeconds(60));

    public FetchPolicy {
        hosts = hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
        privateNetworks = List.copyOf(privateNetworks);
        folders = List.copyOf(folders);
    }

    /**
     * Checks the host and port of an address.
     *
     * @throws FetchException if it is refused; the message names the setting that would allow it
     */
    public void check(Address address) throws FetchException {
        check(address.host(), address.port());
    }

    /** Checks a host and port. */
    public void check(String asked, int port) throws FetchException {
        String host = asked.toLowerCase(Locale.ROOT);
        if (!hosts.isEmpty() && hosts.stream().noneMatch(pattern -> matches(pattern, host, port))) {
            throw new FetchException(
                    Code.REFUSED, "%s is not among the hosts that may be fetched from (--allow-host)".formatted(host));
        }
    }

    private static boolean matches(String pattern, String host, int port) {
        int colon = pattern.lastIndexOf(':');
        boolean hasPort = colon > 0 && pattern.indexOf(':') == colon;
        if (hasPort && !pattern.substring(colon + 1).equals(Integer.toString(port))) {
            return false;
        }
        String name = hasPort ? pattern.substring(0, colon) : pattern;
        return name.startsWith("*.") ? host.endsWith(name.substring(1)) : host.equals(name);
    }

    /**
     * Resolves a host to its allowed addresses. Connect to one of these and do not resolve the name again: the result
     * may differ then.
     *
     * @throws FetchException if the host has no allowed address
     */
    public InetAddress[] resolve(String host) throws FetchException {
        InetAddress[] all;
        try {
            all = InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new FetchException(Code.UNREACHABLE, "the host " + host + " is not known");
        }
        List<InetAddress> allowed = new ArrayList<>();
        for (InetAddress each : all) {
            if (Network.isPublic(each) || privateNetworks.stream().anyMatch(network -> network.contains(each))) {
                allowed.add(each);
            }
        }
        if (allowed.isEmpty()) {
            throw new FetchException(
                    Code.REFUSED, "%s has a private address, which is not allowed (--allow-private)".formatted(host));
        }
        return allowed.toArray(new InetAddress[0]);
    }

    /**
     * Checks that a repository in the file system is below one of the folders.
     *
     * @return its path without links
     * @throws FetchException if it is not
     */
    public Path check(Path repository) throws FetchException {
        Path real;
        try {
            real = repository.toRealPath();
        } catch (java.io.IOException e) {
            throw new FetchException(Code.UNREACHABLE, "there is no such folder: " + repository);
        }
        for (Path folder : folders) {
            if (real.startsWith(real(folder))) {
                return real;
            }
        }
        throw new FetchException(
                Code.REFUSED, "repositories in the file system are read below allowed folders only (--allow-files)");
    }

    private static Path real(Path folder) {
        try {
            return folder.toRealPath();
        } catch (java.io.IOException e) {
            return folder.toAbsolutePath(); // the folder does not exist, so nothing is below it
        }
    }
}
