import { useEffect, useRef } from "react";
import { isRouteErrorResponse, useNavigate, useRouteError } from "react-router";
import { t } from "../lib/messages/shell.ts";
import { explain, isServiceFault } from "../queries/problems.ts";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";
import { NotFound } from "./shell/Missing.tsx";

/** A chunk of an older build is no longer there. */
const isOutdated = (error: unknown) => error instanceof TypeError && /import|module/i.test(error.message);

/** Stands in place of a view that failed: what happened, what was kept, the way on. */
export function ErrorPane() {
  const error = useRouteError();
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />;
  const outdated = isOutdated(error);
  const told = isServiceFault(error) ? explain(error) : null;
  const title = told?.title ?? (outdated ? t("updatedTitle") : t("errorTitle"));
  return (
    <div className="flex h-full items-center overflow-y-auto bg-surface">
      <title>{`${title} · ${t("brand")}`}</title>
      <div className="mx-auto w-full max-w-120 p-5">
        <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold">
          {title}
        </h1>
        <p className="mt-2 text-text-2">{told?.help ?? (outdated ? t("updatedHelp") : t("errorHelp"))}</p>
        {!told && !outdated && error instanceof Error && (
          <Notice className="mt-4">
            <span className="font-mono text-sm break-words">{error.message}</span>
          </Notice>
        )}
        <div className="mt-5 flex gap-2">
          <Button look="primary" onClick={() => location.reload()}>
            {t("reload")}
          </Button>
          <Button onClick={() => void navigate(-1)}>{t("goBack")}</Button>
        </div>
      </div>
    </div>
  );
}
