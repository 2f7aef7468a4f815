package dev.strake.server.http;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Routes with threads of their own: however many ask for what is in one lane, the others go on answering.
 *
 * <p>A thread is taken only while a piece of an answer is made. A client that reads slowly, or not at all, holds a place
 * but no thread; if others are refused meanwhile, it has to read faster or loses the place.
 */
public final class Lane {

    private final List<Route> routes;
    private final Semaphore places;
    private final Set<Answering> underWay = ConcurrentHashMap.newKeySet();
    private final int mostBodyBytes;
    private final Semaphore bodyKilobytes;
    private final ExecutorService threads;

    /**
     * @param name of the threads
     * @param threads how many answers are worked on at once
     * @param places how many answers may be under way; beyond, requests are refused
     */
    public Lane(String name, int threads, int places, List<Route> routes) {
        this(name, threads, places, 0, routes);
    }

    /**
     * The same for routes that take bodies.
     *
     * @param mostBodyBytes of one request; there may be one in memory for each place
     */
    public Lane(String name, int threads, int places, int mostBodyBytes, List<Route> routes) {
        this(name, threads, places, mostBodyBytes, (long) places * mostBodyBytes, routes);
    }

    /**
     * The same where bodies are larger than there is memory for so many.
     *
     * @param bytesOfBodies of all bodies together; requests beyond are refused
     */
    public Lane(String name, int threads, int places, int mostBodyBytes, long bytesOfBodies, List<Route> routes) {
        this.routes = List.copyOf(routes);
        this.mostBodyBytes = mostBodyBytes;
        this.places = new Semaphore(places);
        this.bodyKilobytes = new Semaphore((int) Math.min(Integer.MAX_VALUE, kilobytes(bytesOfBodies)));
        this.threads = Executors.newFixedThreadPool(threads, factory(name));
    }

    private static ThreadFactory factory(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "http-" + name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    List<Route> routes() {
        return routes;
    }

    int mostBodyBytes() {
        return mostBodyBytes;
    }

    private static long kilobytes(long bytes) {
        return (bytes + 1023) >> 10;
    }

    /**
     * Takes room for a body, if there is some.
     *
     * @param length as the client says; -1 if it does not
     * @return what to give back; -1 if there is no room
     */
    int takeRoom(long length) {
        int wanted = Math.toIntExact(kilobytes(length < 0 ? mostBodyBytes : Math.min(length, mostBodyBytes)));
        return bodyKilobytes.tryAcquire(wanted) ? wanted : -1;
    }

    void giveRoomBack(int taken) {
        bodyKilobytes.release(taken);
    }

    /** Takes a place for an answer, if there is one. */
    boolean enter(Answering answering) {
        if (!places.tryAcquire()) {
            makeRoom();
            return false;
        }
        underWay.add(answering);
        return true;
    }

    void leave(Answering answering) {
        underWay.remove(answering);
        places.release();
    }

    /** Somebody was refused who may ask again: places that slow clients hold are needed. */
    void makeRoom() {
        underWay.forEach(Answering::makeRoom);
    }

    /** Runs a task as soon as a thread is free. Returns false if the lane was closed. */
    boolean run(Runnable task) {
        try {
            threads.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Takes no more work, and waits for what it has: that may read what is closed next. */
    void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(1, TimeUnit.SECONDS)) {
                threads.shutdownNow();
                threads.awaitTermination(4, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
