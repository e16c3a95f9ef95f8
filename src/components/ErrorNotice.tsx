import { t } from "../lib/texts/common.ts";
import { describeError, describeLoadError } from "../queries/describe-error.ts";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";

/** Explains why an action failed; renders nothing without an error. */
export function ErrorNotice({
  error,
  retry,
  className,
}: {
  error: unknown;
  /** Repeats the action where its own button is gone. */ retry?: () => void;
  className?: string;
}) {
  if (!error) return null;
  const { title, help } = describeError(error);
  return (
    <Notice title={title} className={className}>
      {retry ? (
        <>
          {help && <p>{help}</p>}
          <RetryButton onClick={retry} />
        </>
      ) : (
        help
      )}
    </Notice>
  );
}

const RetryButton = ({ onClick }: { onClick(): void }) => (
  <Button size="sm" className="mt-2" onClick={onClick}>
    {t("retry")}
  </Button>
);

/** Shown in place of content that failed to load, with a way to retry. */
export function LoadError({ error, retry, className }: { error: unknown; retry(): void; className?: string }) {
  const { title, help } = describeLoadError(error);
  return (
    <Notice title={title} className={className}>
      {help && <p>{help}</p>}
      <RetryButton onClick={retry} />
    </Notice>
  );
}
