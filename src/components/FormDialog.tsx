/** Dialogs with a form, and dialogs that confirm an action. */
import type { ComponentProps, ReactNode } from "react";
import { t } from "../lib/texts/common.ts";
import { Button } from "../ui/Button.tsx";
import { ConfirmDialog, Dialog, DialogActions } from "../ui/Dialog.tsx";
import { ErrorNotice } from "./ErrorNotice.tsx";
import { Form, type FormProps, SubmitButton } from "./Form.tsx";

interface FormDialogProps<V extends object, B, A>
  extends FormProps<V, B, A>, Pick<ComponentProps<typeof Dialog>, "title" | "description" | "width" | "onClose"> {
  submitLabel: string;
  isDisabled?: boolean;
  /** Replaces the form once it was submitted; the dialog stays open. */
  result?: ReactNode;
}

/** A dialog with a form; typed text is not lost by a press outside it. */
export function FormDialog<V extends object, B, A>(props: FormDialogProps<V, B, A>) {
  const { title, description, width, onClose, submitLabel, isDisabled, result, children, ...rest } = props;
  return (
    <Dialog {...{ title, description, width, onClose }}>
      {result || (
        <Form {...rest}>
          {children}
          <DialogActions>
            <Button onClick={onClose}>{t("cancel")}</Button>
            <SubmitButton form={rest.form} disabled={isDisabled}>
              {submitLabel}
            </SubmitButton>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  );
}

interface ConfirmActionProps extends Omit<ComponentProps<typeof ConfirmDialog>, "pending" | "children"> {
  /** The mutation that runs after the confirmation. */
  action: { isPending: boolean; error: unknown };
}

/** Asks for confirmation before an action, and stays open with the error if the action fails. */
export function ConfirmAction({ action, ...dialog }: ConfirmActionProps) {
  return (
    <ConfirmDialog {...dialog} pending={action.isPending}>
      <ErrorNotice error={action.error} />
    </ConfirmDialog>
  );
}
