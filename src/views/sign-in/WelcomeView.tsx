import { useEffect } from "react";
import { Navigate, useNavigate } from "react-router";
import { t as tr } from "../../lib/messages/problems.ts";
import { t } from "../../lib/messages/welcome.ts";
import { useDemo, useForgetLists, useMakeDemo } from "../../queries/demo/use-demo.ts";
import { explain } from "../../queries/problems.ts";
import { useSession } from "../../queries/session/use-session.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Choice } from "./components/Choice.tsx";
import { DemoProgress } from "./components/DemoProgress.tsx";
import { Frame } from "./components/Frame.tsx";

/** After the owner is made: an empty house, or one to look around in. Who comes back finds out how far the demo is. */
export function WelcomeView() {
  const { organisation, role } = useSession();
  const navigate = useNavigate();
  const demo = useDemo();
  const make = useMakeDemo();
  const forgetLists = useForgetLists();
  const there = demo.data?.state === "done" ? demo.data.project_id : null;

  useEffect(() => {
    if (there !== null) void forgetLists().then(() => navigate(`/projects/${there}/chat`, { replace: true }));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it is there
  }, [there]);

  if (role !== "owner") return <Navigate to="/" replace />;
  const leave = () => void navigate("/", { replace: true });
  const problem = make.error ?? (demo.data ? null : demo.error);
  const notice = problem && <Notice title={explain(problem).title}>{explain(problem).help}</Notice>;

  if (!demo.data) {
    return (
      <Frame title={t("loading")}>
        {notice || <Skeleton className="h-24" />}
        {problem && (
          <div className="mt-5 flex flex-wrap gap-2">
            <Button look="primary" onClick={() => demo.refetch()}>
              {tr("retry")}
            </Button>
            <Button onClick={leave}>{t("without")}</Button>
          </div>
        )}
      </Frame>
    );
  }
  const { state, possible, failure } = demo.data;
  if (state === "none" && !possible) return <Navigate to="/" replace />;
  if (state === "running" || state === "done") {
    return (
      <Frame key="making" title={t("making")} lead={t("makingHelp")}>
        <DemoProgress demo={demo.data} />
      </Frame>
    );
  }
  if (state === "failed") {
    return (
      <Frame key="failed" title={t("failed")}>
        <div className="flex flex-col gap-4">
          {notice}
          <Notice>{t("failedHelp", { reason: failure ?? "" })}</Notice>
          <div className="flex flex-wrap gap-2">
            <Button look="primary" size="lg" pending={make.isPending} onClick={() => make.mutate()}>
              {t("again")}
            </Button>
            <Button size="lg" onClick={leave}>
              {t("without")}
            </Button>
          </div>
        </div>
      </Frame>
    );
  }
  return (
    <Frame key="choice" title={t("title")} lead={t("lead", { organisation: organisation.name })}>
      <div className="flex flex-col gap-3">
        {notice}
        <Choice primary label={t("demo")} help={t("demoHelp")} pending={make.isPending} onChoose={() => make.mutate()} />
        <Choice label={t("empty")} help={t("emptyHelp")} onChoose={leave} />
      </div>
    </Frame>
  );
}
