/** The limit of the request line and the headers. Large, because the query string may list learners. */
export const maxHeaderBytes = 256 * 1024;
