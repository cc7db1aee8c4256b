import '@mantine/dropzone/styles.css';
import { Button, Group, Text } from '@mantine/core';
import { Dropzone, type DropzoneProps, type FileRejection } from '@mantine/dropzone';
import { UploadIcon } from '@primer/octicons-react/UploadIcon';
import { useRef } from 'react';

type Bounds = Partial<Pick<DropzoneProps, 'accept' | 'maxSize'>>;

interface Props extends Bounds {
  /** The text of the button that opens the dialog for files. */
  readonly label: string;
  /** Which files, in a sentence or two. */
  readonly hint: string;
  readonly onFile: (file: File) => void;
  /** @param code that of react-dropzone, such as `file-too-large` */
  readonly onReject: (code: string | undefined) => void;
}

/** Rejects an empty file: Mantine's `Dropzone` has no `minSize`. */
const rejectEmpty = ({ size }: File) =>
  size === 0 ? { code: 'file-too-small', message: '' } : null;

/** Takes one file, which is dropped or chosen in a dialog. For pages that are loaded when they are opened. */
export function FileDrop({ label, hint, onFile, onReject, ...bounds }: Props) {
  const openDialog = useRef<() => void>(null);
  return (
    <Dropzone
      {...bounds}
      multiple={false}
      validator={rejectEmpty}
      onDrop={([file]: File[]) => {
        if (file) onFile(file);
      }}
      onReject={([rejected]: FileRejection[]) => onReject(rejected?.errors[0]?.code)}
      // The button opens the dialog, so that there is one control.
      activateOnClick={false}
      activateOnKeyboard={false}
      enablePointerEvents
      openRef={openDialog}
      style={{ cursor: 'default' }}
    >
      <Group justify="center" gap="md" mih={110}>
        <UploadIcon size={32} aria-hidden />
        <div>
          <Button variant="light" mb={6} onClick={() => openDialog.current?.()}>
            {label}
          </Button>
          <Text size="sm" c="dimmed" maw={440}>
            {hint}
          </Text>
        </div>
      </Group>
    </Dropzone>
  );
}
