import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { reportSignedOut } from '../../api/query-client.ts';
import { type CourseUpload, uploadCourse, type UploadState } from '../../api/upload-course.ts';

/** An upload that was begun, and how far it is. */
export interface Upload {
  readonly file: File;
  readonly state: UploadState;
}

/** Uploads one package at a time. The end of the component cancels the upload. */
export function useUpload() {
  const client = useQueryClient();
  const [upload, setUpload] = useState<Upload | null>(null);
  const cancelRef = useRef(() => {});
  useEffect(() => () => cancelRef.current(), []);
  const reset = useCallback(() => {
    cancelRef.current();
    setUpload(null);
  }, []);
  const start = useCallback(
    (course: CourseUpload, file: File) => {
      setUpload({ file, state: { stage: 'sending', sent: 0 } });
      cancelRef.current = uploadCourse(course, file, (state) => {
        setUpload({ file, state });
        if ('error' in state) reportSignedOut(state.error);
        if ('course' in state) {
          void client.invalidateQueries({
            predicate: ({ queryKey: [called] }) => String(called).startsWith('courses.'),
          });
        }
      });
    },
    [client],
  );
  return { upload, start, reset };
}
