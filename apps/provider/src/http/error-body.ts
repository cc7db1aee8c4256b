/** The body of an error of the API. */
export interface ErrorBody {
  readonly message: string;
  /** The same text: SCORM Cloud's official clients read `message`, others read `error`. */
  readonly error: string;
}

export const errorBody = (message: string): ErrorBody => ({ message, error: message });
