/**
 * The bytes of a body that are read before the access of its request is known. Whatever they are, parsing
 * them takes at most 5 ms of a processor (`npm run bench -- --only bodies`).
 */
export const maxBytesOfStrangers = 64 * 1024;

/** The bytes of a body whose request shows its access in the head. A file in a form does not count. */
export const maxBytes = {
  json: 1024 * 1024,
  /** More, because a form costs less to parse, and writes a character of a long text in up to nine bytes. */
  form: 8 * 1024 * 1024,
} as const;
