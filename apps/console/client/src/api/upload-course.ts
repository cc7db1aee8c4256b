import type { CallFailure } from '../../../src/calls/define-call.ts';
import type { UploadNews } from '../../../src/uploads/upload-news.ts';
import { addressOf, CallError } from './call.ts';

/** What becomes of a package: a new course, or a version of one. */
export interface CourseUpload {
  readonly realm: string;
  readonly versionOf?: string | undefined;
  readonly course?: string | undefined;
  readonly title?: string | undefined;
  readonly application?: string | undefined;
}

/** What the check of a package has found; null when there was no check. */
export type Findings = Extract<UploadNews, { readonly course: unknown }>['findings'];

/** How far an upload is. */
export type UploadState =
  /** So many bytes of the package were sent. */
  | { readonly stage: 'sending'; readonly sent: number }
  | Extract<UploadNews, { readonly stage: string }>
  | Extract<UploadNews, { readonly course: unknown }>
  | { readonly error: CallError; readonly findings: Findings };

/**
 * Sends a package. `XMLHttpRequest`, because `fetch` does not tell how much was sent.
 *
 * @param onState called with each state; the one with `course` or `error` is the last
 * @returns a function that cancels the upload: after it, there is no more state
 */
export function uploadCourse(
  { realm, ...rest }: CourseUpload,
  file: File,
  onState: (state: UploadState) => void,
): () => void {
  const query = new URLSearchParams({ realm });
  for (const [name, value] of Object.entries(rest)) if (value) query.set(name, value);
  const request = new XMLHttpRequest();
  request.open('POST', addressOf(`api/uploads/course?${query.toString()}`));
  request.setRequestHeader('content-type', 'application/zip');
  request.upload.onprogress = ({ loaded }) => onState({ stage: 'sending', sent: loaded });
  request.onprogress = () => {
    const news = request.status === 200 ? lastNews(request.responseText) : null;
    if (news && 'stage' in news) onState(news);
  };
  request.onload = () => onState(endOf(request));
  request.onerror = () => onState(unanswered('the connection ended'));
  request.send(file);
  return () => request.abort();
}

/** The last line that has arrived completely; null before the first. */
function lastNews(text: string): UploadNews | null {
  const line = text.split('\n').at(-2);
  return line === undefined ? null : (JSON.parse(line) as UploadNews);
}

function endOf({ status, statusText, responseText }: XMLHttpRequest): UploadState {
  if (status !== 200) {
    try {
      return failed(JSON.parse(responseText) as CallFailure, null);
    } catch {
      return unanswered(statusText);
    }
  }
  const news = lastNews(responseText);
  if (news && 'course' in news) return news;
  if (news && 'failure' in news) return failed(news.failure, news.findings);
  return unanswered('the connection ended before the import');
}

const failed = (failure: CallFailure, findings: Findings): UploadState => ({
  error: new CallError(failure),
  findings,
});

const unanswered = (message: string): UploadState => ({
  error: new CallError({ code: 'unreachable', message, requestId: null }),
  findings: null,
});
