import { X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { classNames } from "../lib/class-names.ts";
import { Button } from "./Button.tsx";
import { IconButton } from "./IconButton.tsx";
import { useModal } from "./use-modal.ts";

const WIDTHS = { sm: "max-w-100", md: "max-w-120", lg: "max-w-160" };

interface DialogProps {
  title: string;
  /** One sentence under the title. */
  description?: ReactNode;
  closeLabel: string;
  onClose(): void;
  children: ReactNode;
  width?: "sm" | "md" | "lg";
  /** Closes the dialog on a press outside it; off where typed text or a secret would be lost. */
  lightDismiss?: boolean;
}

/** A modal dialog on the native `<dialog>`, which traps the focus, closes on Escape and restores the focus. It is open while it is rendered. */
export function Dialog({ title, description, closeLabel, onClose, children, width = "md", lightDismiss = false }: DialogProps) {
  const dialog = useModal();
  const id = useId();

  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (lightDismiss && event.target === dialog.current) onClose();
      }}
      className={classNames(
        "m-auto max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] overflow-y-auto rounded-lg bg-surface text-text shadow-float",
        WIDTHS[width],
      )}
    >
      <div className="relative p-5">
        <header className="mb-4">
          <div className="min-w-0 pr-10">
            <h2 id={`${id}-title`} className="text-lg font-semibold">
              {title}
            </h2>
            {description && (
              <p id={`${id}-description`} className="mt-1 text-text-2">
                {description}
              </p>
            )}
          </div>
        </header>
        {children}
        {/* Last in the tab order, so that the focus starts on the dialog's content. */}
        <IconButton label={closeLabel} onClick={onClose} className="absolute top-4 right-4">
          <X size={18} aria-hidden />
        </IconButton>
      </div>
    </dialog>
  );
}

/** The buttons at the end of a dialog, with the primary one last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}

interface ConfirmDialogProps {
  title: string;
  description: ReactNode;
  confirmLabel: string;
  cancelLabel: string;
  pending?: boolean;
  onConfirm(): void;
  onClose(): void;
  /** Error of the last attempt. */
  children?: ReactNode;
}

/** Asks for confirmation before a destructive action; the focus starts on the cancel button. */
export function ConfirmDialog({ title, description, confirmLabel, cancelLabel, pending, onConfirm, onClose, children }: ConfirmDialogProps) {
  return (
    <Dialog title={title} description={description} closeLabel={cancelLabel} onClose={onClose} width="sm" lightDismiss>
      {children}
      <DialogActions>
        <Button autoFocus onClick={onClose}>
          {cancelLabel}
        </Button>
        <Button variant="danger" pending={pending} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
