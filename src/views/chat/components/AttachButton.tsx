import { Plus } from "lucide-react";
import { useRef } from "react";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/uploads.ts";
import { IconButton } from "../../../ui/IconButton.tsx";

interface Props {
  /** Why files cannot be attached; null if they can. */
  disabledReason: string | null;
  onFiles(files: readonly File[]): void;
  /** Called when the selection changes, even if no file is chosen. */
  onDone(): void;
}

/** Opens the file picker, or shows why files cannot be attached, as a drop does. */
export function AttachButton({ disabledReason, onFiles, onDone }: Props) {
  const fileInput = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        label={disabledReason === null ? t("attach") : t("attachDisabled", { reason: disabledReason })}
        aria-disabled={disabledReason !== null || undefined}
        className={classes("max-tablet:size-9 max-tablet:rounded-full", disabledReason !== null && "cursor-not-allowed text-text-3")}
        onClick={() => (disabledReason === null ? fileInput.current?.click() : onFiles([]))}
      >
        <Plus size={20} aria-hidden />
      </IconButton>
      <input
        ref={fileInput}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // Clears the input so that the same file can be chosen again.
          event.target.value = "";
          if (files.length > 0) onFiles(files);
          onDone();
        }}
      />
    </>
  );
}
