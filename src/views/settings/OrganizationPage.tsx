import { Sparkles, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Navigate } from "react-router";
import { type Demo, getDemo } from "../../../contract/operations/demo.ts";
import { updateOrganisation } from "../../../contract/operations/accounts.ts";
import { Form, SubmitButton } from "../../components/Form.tsx";
import { ListSection, ListState } from "../../components/ListSection.tsx";
import { useRecordForm } from "../../components/use-record-form.ts";
import { t as tCommon } from "../../lib/texts/common.ts";
import { t } from "../../lib/texts/organization.ts";
import { t as tSettings } from "../../lib/texts/settings.ts";
import { useClient } from "../../client/client.ts";
import { useDemo, useInvalidateLists, useRemoveDemo } from "../../queries/demo.ts";
import { useRenameOrganisation } from "../../queries/members.ts";
import { useCan } from "../../queries/permissions.ts";
import { useSession } from "../../queries/session.ts";
import { announce } from "../../ui/announce.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/Field.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { RemoveDemoDialog } from "./RemoveDemoDialog.tsx";

/** Renders what owners change of the organization: its name, and the demo. */
export function OrganizationPage() {
  const { api } = useClient();
  if (!useCan("organisation.edit")) return <Navigate to="/settings/profile" replace />;
  return (
    <>
      <ListSection title={t("title")} lead={t("lead")}>
        <NameForm />
      </ListSection>
      {api.offers(getDemo) && <DemoSection />}
    </>
  );
}

function NameForm() {
  const { organisation } = useSession();
  const form = useRecordForm<{ name: string }, { name: string }>(useRenameOrganisation(), updateOrganisation.body, { name: organisation.name });
  return (
    <Form form={form} body={{ name: form.values.name.trim() }} onDone={form.onSaved} className="flex flex-col gap-4 py-4">
      <TextField {...form.field("name", t("name"))} hint={t("nameHint")} required maxLength={120} autoComplete="organization" />
      <div className="flex items-center gap-3">
        <SubmitButton form={form}>{tCommon("save")}</SubmitButton>
        <span role="status" className="text-ok">
          {form.isSaved ? tSettings("saved") : ""}
        </span>
      </div>
    </Form>
  );
}

/** Shows the demo, if there is one, with its removal and the removal's progress. */
function DemoSection() {
  const demo = useDemo();
  const remove = useRemoveDemo();
  const invalidateLists = useInvalidateLists();
  const [isConfirming, setIsConfirming] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const state = demo.data?.state;
  const [lastState, setLastState] = useState(state);
  const wasRemoved = lastState === "removing" && state === "none";
  if (state !== lastState && !wasRemoved) setLastState(state);
  useEffect(() => {
    if (!wasRemoved) return;
    setLastState("none");
    announce(t("removed"));
    heading.current?.focus();
    void invalidateLists();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once, when the demo is gone
  }, [wasRemoved]);
  const contents = demo.data?.contents;
  return (
    <ListSection
      title={t("demo")}
      lead={t("demoLead")}
      headingRef={heading}
      actions={
        contents && (
          <Button icon={Trash2} variant="danger" onClick={() => setIsConfirming(true)}>
            {t("remove")}
          </Button>
        )
      }
    >
      <ListState query={demo} rows={1} />
      {demo.data && <DemoState demo={demo.data} />}
      {contents && isConfirming && (
        <RemoveDemoDialog
          contents={contents}
          action={remove}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => setIsConfirming(false) })}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </ListSection>
  );
}

function DemoState({ demo: { state, contents, progress, failure } }: { demo: Demo }) {
  if (state === "removing") return <RemovalProgress fraction={progress} failure={failure} />;
  return (
    <div className="flex items-center gap-3 py-4 text-text-2">
      <Sparkles size={18} aria-hidden className="shrink-0" />
      <div>
        {state === "none" && t("demoNone")}
        {state === "running" && t("creating")}
        {state === "removal_failed" && <Notice tone="danger">{t("failed", { reason: failure ?? "" })}</Notice>}
        {contents &&
          t("demoContents", {
            projects: t("projects", { count: contents.projects.length }),
            people: t("people", { count: contents.people.length }),
            files: t("files", { count: contents.files }),
            messages: t("messages", { count: contents.messages }),
          })}
      </div>
    </div>
  );
}

function RemovalProgress({ fraction, failure }: { fraction: number; failure: string | null }) {
  return (
    <div className="py-4">
      <div
        role="progressbar"
        aria-label={t("progress")}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(fraction * 100)}
        className="h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <div className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${Math.max(fraction, 0.02) * 100}%` }} />
      </div>
      <p role="status" className="mt-3">
        {t("removing")}
      </p>
      <p className="text-sm text-text-2">{failure ?? t("removingHelp")}</p>
    </div>
  );
}
