package dev.strake.local.git;

import java.io.IOException;
import java.security.KeyPair;
import java.security.PublicKey;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.command.AbstractCommandSupport;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.ReceivePack;
import org.eclipse.jgit.transport.UploadPack;

/** A repository over ssh, to read and to push, for whoever has one key. */
public final class GitOverSsh implements AutoCloseable {

    private final SshServer server;

    /**
     * @param host the server's own key
     * @param user whose key is let in
     */
    public GitOverSsh(Repository repository, KeyPair host, PublicKey user) throws IOException {
        server = SshServer.setUpDefaultServer();
        server.setHost("127.0.0.1");
        server.setKeyPairProvider(KeyPairProvider.wrap(host));
        server.setPublickeyAuthenticator((name, key, session) -> KeyUtils.compareKeys(key, user));
        server.setCommandFactory((channel, command) -> new GitCommand(command, repository));
        server.start();
    }

    private static final class GitCommand extends AbstractCommandSupport {

        private final Repository repository;

        GitCommand(String command, Repository repository) {
            super(command, null);
            this.repository = repository;
        }

        @Override
        public void run() {
            try {
                if (getCommand().startsWith("git-upload-pack ")) {
                    new UploadPack(repository).upload(getInputStream(), getOutputStream(), getErrorStream());
                } else if (getCommand().startsWith("git-receive-pack ")) {
                    new ReceivePack(repository).receive(getInputStream(), getOutputStream(), getErrorStream());
                } else {
                    onExit(1, "git alone is served here");
                    return;
                }
                onExit(0);
            } catch (IOException e) {
                onExit(1, e.toString());
            }
        }
    }

    /** Where the repository is. */
    public String url() {
        return "ssh://git@127.0.0.1:" + server.getPort() + "/repo.git";
    }

    @Override
    public void close() throws IOException {
        server.stop(true);
    }
}
