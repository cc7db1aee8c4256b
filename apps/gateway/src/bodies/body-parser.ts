/** Adds the parameters in a body to those of the request while the body arrives. */
export interface BodyParser {
  /** The next bytes are those of a file, which is passed on and not kept. */
  readonly isInFile?: boolean;
  /** @throws {Failure} `invalid` when the body is malformed or beyond a limit */
  write(chunk: Buffer): void | Promise<void>;
  /** Called after the last byte. @throws {Failure} `invalid` */
  end(): void | Promise<void>;
  /** Ends the work on a file. Called when the body cannot be read any further. */
  abort?(fault: Error): Promise<void>;
}
