import { useEffect, useId } from "react";
import { Navigate, useNavigate } from "react-router";
import type { Demo, DemoStep } from "../../../contract/operations/demo.ts";
import { ErrorNotice } from "../../components/ErrorNotice.tsx";
import { t as tCommon } from "../../lib/texts/common.ts";
import { t } from "../../lib/texts/welcome.ts";
import { useCreateDemo, useDemo, useInvalidateLists } from "../../queries/demo.ts";
import { useCan } from "../../queries/permissions.ts";
import { useSession } from "../../queries/session.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { AuthLayout } from "./AuthLayout.tsx";

const STEP_LABELS: Record<DemoStep, string> = { people: t("people"), songs: t("songs"), chat: t("chat"), listening: t("listening") };

/** Offers the new owner an empty workspace or a demo, and shows the demo's progress to an owner who returns. */
export function WelcomeView() {
  const { organisation } = useSession();
  const canMakeDemo = useCan("demo.make");
  const navigate = useNavigate();
  const demo = useDemo();
  const createDemo = useCreateDemo();
  const invalidateLists = useInvalidateLists();
  const readyProjectId = demo.data?.state === "done" ? demo.data.project_id : null;

  useEffect(() => {
    if (readyProjectId !== null) void invalidateLists().then(() => navigate(`/projects/${readyProjectId}/chat`, { replace: true }));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once, when the project is ready
  }, [readyProjectId]);

  if (!canMakeDemo) return <Navigate to="/" replace />;
  const skipDemo = () => void navigate("/", { replace: true });
  const problem = createDemo.error ?? (demo.data ? null : demo.error);
  const notice = problem && <ErrorNotice error={problem} />;

  if (!demo.data) {
    return (
      <AuthLayout title={t("loading")}>
        {notice || <Skeleton className="h-24" />}
        {problem && (
          <div className="mt-5 flex flex-wrap gap-2">
            <Button variant="primary" onClick={() => demo.refetch()}>
              {tCommon("retry")}
            </Button>
            <Button onClick={skipDemo}>{t("skipDemo")}</Button>
          </div>
        )}
      </AuthLayout>
    );
  }
  const { state, possible, failure } = demo.data;
  if (state === "none" && !possible) return <Navigate to="/" replace />;
  if (state === "running" || state === "done") {
    return (
      <AuthLayout key="running" title={t("creating")} lead={t("creatingHelp")}>
        <DemoProgress demo={demo.data} />
      </AuthLayout>
    );
  }
  if (state === "failed") {
    return (
      <AuthLayout key="failed" title={t("failed")}>
        <div className="flex flex-col gap-4">
          {notice}
          <Notice>{t("failedHelp", { reason: failure ?? "" })}</Notice>
          <div className="flex flex-wrap gap-2">
            <Button variant="primary" size="lg" pending={createDemo.isPending} onClick={() => createDemo.mutate()}>
              {tCommon("retry")}
            </Button>
            <Button size="lg" onClick={skipDemo}>
              {t("skipDemo")}
            </Button>
          </div>
        </div>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout key="choice" title={t("title")} lead={t("lead", { organisation: organisation.name })}>
      <div className="flex flex-col gap-3">
        {notice}
        <OptionCard isPrimary label={t("demo")} help={t("demoHelp")} isPending={createDemo.isPending} onSelect={() => createDemo.mutate()} />
        <OptionCard label={t("empty")} help={t("emptyHelp")} onSelect={skipDemo} />
      </div>
    </AuthLayout>
  );
}

interface OptionCardProps {
  label: string;
  help: string;
  isPrimary?: boolean;
  isPending?: boolean;
  onSelect(): void;
}

/** Renders one of two options with an explanation. */
function OptionCard({ label, help, isPrimary = false, isPending = false, onSelect }: OptionCardProps) {
  const helpId = useId();
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line p-4">
      <p id={helpId} className="text-text-2">
        {help}
      </p>
      <Button variant={isPrimary ? "primary" : "secondary"} size="lg" aria-describedby={helpId} pending={isPending} onClick={onSelect}>
        {label}
      </Button>
    </div>
  );
}

/** Shows the demo's current step and overall progress. */
function DemoProgress({ demo: { step, progress, state } }: { demo: Demo }) {
  const fraction = state === "done" ? 1 : progress;
  return (
    <div>
      <div
        role="progressbar"
        aria-label={t("progress")}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(fraction * 100)}
        className="h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <div className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${fraction * 100}%` }} />
      </div>
      <p role="status" className="mt-3 text-text-2">
        {STEP_LABELS[step ?? "listening"]}
      </p>
    </div>
  );
}
