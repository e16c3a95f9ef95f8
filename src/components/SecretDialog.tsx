import type { ReactNode } from "react";
import { t } from "../lib/texts/secrets.ts";
import { Button } from "../ui/Button.tsx";
import { CopyField } from "../ui/CopyField.tsx";
import { Dialog, DialogActions } from "../ui/Dialog.tsx";
import { Notice } from "../ui/Notice.tsx";

interface SecretDialogProps {
  title: string;
  /** Shown together with the secret. */
  description: string;
  /** Name of the secret. */
  label: string;
  /** Undefined after a repeated request, whose response does not contain the secret. */
  secret: string | undefined;
  /** Explains what to do without the secret. */
  hiddenText?: string;
  /** Label of the primary button if closing leads to another page. */
  nextLabel?: string;
  width?: "md" | "lg";
  onClose(): void;
  children?: ReactNode;
}

/** Shows a new secret or link, which the service returns only once, with a copy button. */
export function SecretDialog({ title, description, label, secret, hiddenText, nextLabel, width = "md", onClose, children }: SecretDialogProps) {
  return (
    <Dialog title={title} description={secret !== undefined && description} closeLabel={t("close")} onClose={onClose} width={width}>
      {secret === undefined ? <Notice>{hiddenText}</Notice> : <SecretField label={label} secret={secret} />}
      {children}
      <DialogActions>
        <Button variant={nextLabel === undefined ? "secondary" : "primary"} onClick={onClose}>
          {nextLabel ?? t("done")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Shows a secret or link with a copy button. */
export function SecretField({ label, secret }: { label: string; secret: string }) {
  return <CopyField label={label} value={secret} copyLabel={t("copy")} copiedLabel={t("copied")} selectedLabel={t("copyManually")} />;
}
