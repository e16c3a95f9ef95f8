import type { ReactNode } from "react";
import { t } from "../lib/texts/common.ts";
import { Button } from "../ui/Button.tsx";
import { CopyField } from "../ui/copy.tsx";
import { Dialog, DialogActions } from "../ui/Dialog.tsx";
import { Notice } from "../ui/Notice.tsx";

interface SecretStepProps {
  /** Name of the secret. */
  label: string;
  /** Undefined after a repeated request, whose response does not contain the secret. */
  secret: string | undefined;
  /** Explains what to do without the secret. */
  hiddenText?: string;
  /** Label of the primary button if closing leads to another page. */
  nextLabel?: string;
  onClose(): void;
  children?: ReactNode;
}

interface SecretDialogProps extends SecretStepProps {
  title: string;
  /** Shown together with the secret. */
  description: string;
  width?: "md" | "lg";
}

/** Shows a new secret or link, which the service returns only once, with a copy button. */
export function SecretDialog({ title, description, width = "md", ...step }: SecretDialogProps) {
  return (
    <Dialog title={title} description={step.secret !== undefined && description} onClose={step.onClose} width={width}>
      <SecretStep {...step} />
    </Dialog>
  );
}

/** Renders the content of `SecretDialog`, for a dialog that stays open after its form created the secret. */
export function SecretStep({ label, secret, hiddenText, nextLabel, onClose, children }: SecretStepProps) {
  return (
    <>
      {secret === undefined ? <Notice>{hiddenText}</Notice> : <CopyField label={label} value={secret} />}
      {children}
      <DialogActions>
        <Button variant={nextLabel === undefined ? "secondary" : "primary"} onClick={onClose}>
          {nextLabel ?? t("done")}
        </Button>
      </DialogActions>
    </>
  );
}
