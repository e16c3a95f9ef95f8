import type { ReactNode } from "react";
import { t } from "../../lib/texts/message-text.ts";
import { Button } from "../../ui/Button.tsx";
import { submitTo } from "../../ui/text-input.ts";

interface EditButtonsProps {
  /** True if the record has been deleted meanwhile: its text can then only be copied or discarded. */
  isDeleted: boolean;
  isSaving?: boolean;
  /** Explains the keys or a problem, before the buttons. */
  hint?: ReactNode;
  onCopyText(): void;
  /** Closes the form without saving. */
  onCancel(): void;
}

interface Props extends EditButtonsProps {
  className: string;
  onSave(): void;
  children: ReactNode;
}

export function InlineEditForm({ className, onSave, children, ...buttonProps }: Props) {
  return (
    <form className={`max-w-160 pt-1 ${className}`} onSubmit={submitTo(onSave)}>
      {children}
      <EditButtons {...buttonProps} />
    </form>
  );
}

/** Renders Save and Cancel, or Copy text and Discard once the record is deleted. */
export function EditButtons({ isDeleted, isSaving = false, hint, onCopyText, onCancel }: EditButtonsProps) {
  return (
    <div className={hint === undefined ? "mt-1.5 flex justify-end gap-2" : "mt-1 flex flex-wrap items-center gap-2"}>
      {hint}
      {isDeleted && (
        <Button size="sm" onClick={onCopyText}>
          {t("copyText")}
        </Button>
      )}
      <Button size="sm" onClick={onCancel}>
        {t(isDeleted ? "discardText" : "cancel")}
      </Button>
      {!isDeleted && (
        <Button type="submit" size="sm" variant="primary" pending={isSaving}>
          {t("save")}
        </Button>
      )}
    </div>
  );
}
