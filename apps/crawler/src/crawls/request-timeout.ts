/** The timeout of a request to the provider (libs/course-provider) and a margin: milliseconds. */
export const requestTimeoutMs = 32_000;
