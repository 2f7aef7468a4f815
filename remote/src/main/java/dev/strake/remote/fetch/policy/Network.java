package dev.strake.remote.fetch.policy;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/** A range of addresses in CIDR notation, {@code 10.1.0.0/16}, or a single address without a length. */
public final class Network {

    /* Addresses that are not public, from IANA's registries of special-purpose addresses. */
    private static final List<Network> RESERVED = List.of(
            of("0.0.0.0/8"),
            of("10.0.0.0/8"),
            of("100.64.0.0/10"),
            of("127.0.0.0/8"),
            of("169.254.0.0/16"),
            of("172.16.0.0/12"),
            of("192.0.0.0/24"),
            of("192.0.2.0/24"),
            of("192.168.0.0/16"),
            of("198.18.0.0/15"),
            of("198.51.100.0/24"),
            of("203.0.113.0/24"),
            of("224.0.0.0/3"),
            of("::/96"),
            of("64:ff9b:1::/48"),
            of("100::/64"),
            of("2001:db8::/32"),
            of("fc00::/7"),
            of("fe80::/9"),
            of("ff00::/8"));

    private static final Network NAT64 = of("64:ff9b::/96");
    private static final Network SIX_TO_FOUR = of("2002::/16");
    private static final Network TEREDO = of("2001::/32");

    private final byte[] address;
    private final int bits;

    private Network(byte[] address, int bits) {
        this.address = address;
        this.bits = bits;
    }

    /**
     * Parses a range.
     *
     * @throws IllegalArgumentException if it is invalid
     */
    public static Network of(String text) {
        int slash = text.indexOf('/');
        String start = slash < 0 ? text : text.substring(0, slash);
        if (!start.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
            throw new IllegalArgumentException("not a range of addresses, such as 10.1.0.0/16 or ::1");
        }
        try {
            byte[] address = InetAddress.getByName(start).getAddress();
            int bits = slash < 0 ? address.length * 8 : Integer.parseInt(text.substring(slash + 1));
            if (bits < 0 || bits > address.length * 8) {
                throw new IllegalArgumentException("no range of addresses: the length is out of bounds");
            }
            return new Network(address, bits);
        } catch (UnknownHostException | NumberFormatException e) {
            throw new IllegalArgumentException("not a range of addresses, such as 10.1.0.0/16 or ::1", e);
        }
    }

    boolean contains(InetAddress other) {
        byte[] bytes = other.getAddress();
        if (bytes.length != address.length) {
            return false;
        }
        int whole = bits / 8;
        if (!Arrays.equals(bytes, 0, whole, address, 0, whole)) {
            return false;
        }
        int mask = 0xff00 >> (bits % 8) & 0xff;
        return bits % 8 == 0 || (bytes[whole] & mask) == (address[whole] & mask);
    }

    /**
     * Whether an address is public: not private, local or reserved. An IPv6 address that embeds an IPv4 address is as
     * public as the embedded address.
     */
    static boolean isPublic(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (!(address instanceof Inet4Address)) {
            if (TEREDO.contains(address)) {
                return false;
            }
            int embedded = NAT64.contains(address) ? 12 : SIX_TO_FOUR.contains(address) ? 2 : -1;
            if (embedded >= 0) {
                try {
                    return isPublic(InetAddress.getByAddress(Arrays.copyOfRange(bytes, embedded, embedded + 4)));
                } catch (UnknownHostException e) {
                    throw new IllegalStateException("four bytes are an address", e);
                }
            }
        }
        return RESERVED.stream().noneMatch(network -> network.contains(address));
    }
}
