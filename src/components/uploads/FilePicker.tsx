import { type ComponentProps, useRef } from "react";
import { IconButton } from "../../ui/IconButton.tsx";

interface PickerProps {
  multiple?: boolean;
  /** Called when the selection changes, even if no file is chosen. */
  onFiles(files: readonly File[]): void;
}

/** Returns the function that opens the browser's file picker, and the invisible element that it needs. */
export function useFilePicker({ multiple = false, onFiles }: PickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return {
    open: () => input.current?.click(),
    input: (
      <input
        ref={input}
        type="file"
        multiple={multiple}
        hidden
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // Clears the input so that the same file can be chosen again.
          target.value = "";
          onFiles(files);
        }}
      />
    ),
  };
}

/** Opens the file picker, or runs `onClick` instead. */
export function FileButton({ multiple = false, onFiles, onClick, ...rest }: ComponentProps<typeof IconButton> & PickerProps) {
  const picker = useFilePicker({ multiple, onFiles });
  return (
    <>
      <IconButton {...rest} onClick={onClick ?? picker.open} />
      {picker.input}
    </>
  );
}
