import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import { Dialog, DialogActions } from "./Dialog.tsx";

interface Props {
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
export function ConfirmDialog({ title, description, confirmLabel, cancelLabel, pending, onConfirm, onClose, children }: Props) {
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
