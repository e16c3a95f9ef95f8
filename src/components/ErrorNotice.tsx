import { t } from "../lib/texts/problems.ts";
import { describeError, describeLoadError, type ErrorDescription } from "../queries/describe-error.ts";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";

interface ErrorNoticeProps {
  error: unknown;
  className?: string;
}

/** Explains why an action failed; renders nothing without an error. */
export function ErrorNotice({ error, className }: ErrorNoticeProps) {
  if (!error) return null;
  const { title, help } = describeError(error);
  return (
    <Notice title={title} className={className}>
      {help}
    </Notice>
  );
}

interface FormProblemProps {
  problem: ErrorDescription | null;
  className?: string;
}

/** Shows the error of a form that belongs to no single field; renders nothing without one. */
export function FormProblem({ problem, className }: FormProblemProps) {
  return (
    problem && (
      <Notice title={problem.title} className={className}>
        {problem.help}
      </Notice>
    )
  );
}

/** Shown in place of content that failed to load, with a way to retry. */
export function LoadError({ error, retry }: { error: unknown; retry(): void }) {
  const { title, help } = describeLoadError(error);
  return (
    <Notice title={title}>
      {help && <p>{help}</p>}
      <Button size="sm" className="mt-2" onClick={retry}>
        {t("retry")}
      </Button>
    </Notice>
  );
}
