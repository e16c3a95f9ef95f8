import { type ReactNode, useId } from "react";
import { FocusScope } from "react-aria/FocusScope";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { classNames } from "../lib/class-names.ts";
import { t } from "../lib/texts/common.ts";
import { Button } from "./Button.tsx";
import { CloseButton } from "./IconButton.tsx";
import { useReturnFocus } from "./use-return-focus.ts";

const WIDTHS = { sm: "max-w-100", md: "max-w-120", lg: "max-w-160" };

interface DialogProps {
  title: string;
  /** One sentence under the title. */
  description?: ReactNode;
  onClose(): void;
  children: ReactNode;
  width?: keyof typeof WIDTHS | undefined;
  /** Closes the dialog on a press outside it; off where typed text or a secret would be lost. */
  lightDismiss?: boolean;
}

/** A modal dialog. It is open while it is rendered; the focus starts on its content. */
export function Dialog({ title, description, onClose, children, width = "md", lightDismiss = false }: DialogProps) {
  const id = useId();
  return (
    <ModalFrame
      onClose={onClose}
      lightDismiss={lightDismiss}
      className={classNames("max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] rounded-lg", WIDTHS[width])}
    >
      <AriaDialog aria-labelledby={`${id}-title`} aria-describedby={description ? `${id}-description` : undefined} className="relative p-5 outline-none">
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
        <FocusScope autoFocus>{children}</FocusScope>
        {/* Last in the tab order, so that the focus starts on the dialog's content. */}
        <CloseButton label={t("close")} onClick={onClose} className="absolute top-4 right-4" />
      </AriaDialog>
    </ModalFrame>
  );
}

/** The surface of a dialog over the inert page. */
export function ModalFrame({
  onClose,
  lightDismiss = false,
  className,
  children,
}: Pick<DialogProps, "onClose" | "lightDismiss" | "children"> & { className: string }) {
  useReturnFocus();
  return (
    <ModalOverlay
      isOpen
      isDismissable={lightDismiss}
      data-overlay="modal"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className="modal-backdrop flex items-center justify-center"
    >
      <Modal className={classNames("overflow-y-auto bg-surface text-text shadow-float outline-none", className)}>{children}</Modal>
    </ModalOverlay>
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
  cancelLabel?: string;
  pending?: boolean;
  onConfirm(): void;
  onClose(): void;
  /** Error of the last attempt. */
  children?: ReactNode;
}

/** Asks for confirmation before a destructive action; the focus starts on the cancel button. */
export function ConfirmDialog({ title, description, confirmLabel, cancelLabel = t("cancel"), pending, onConfirm, onClose, children }: ConfirmDialogProps) {
  return (
    <Dialog title={title} description={description} onClose={onClose} width="sm" lightDismiss>
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
