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
  /** What went wrong when it was tried. */
  children?: ReactNode;
}

/** Asks before something that hurts. The focus starts on the way out. */
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
