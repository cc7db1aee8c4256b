/** The limit of a body without a file, and of all fields of a multipart form together. */
export const bodyLimitBytes = 8 * 1024 * 1024;

/** The limit of the request line and the headers. Large, because the query string may list learners. */
export const maxHeaderBytes = 256 * 1024;
