/** The sources of content: HTTP, S3, GitHub, GitLab and git repositories. */
package dev.strake.remote.fetch.source;
