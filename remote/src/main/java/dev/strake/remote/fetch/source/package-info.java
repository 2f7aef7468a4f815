/** Where content comes from: HTTP, S3, GitHub, GitLab and repositories of git. */
package dev.strake.remote.fetch.source;
