import { type ReactNode, useState } from "react";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { t as tCommon } from "../../../lib/texts/common.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import { formatDateTime, formatRelativeTime } from "../../../lib/time.ts";
import { useProjects } from "../../../queries/projects.ts";
import { Button } from "../../../ui/Button.tsx";
import { CodeBlock } from "../../../ui/copy.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { useNow } from "../use-now.ts";
import { buildExampleEvent } from "../ExamplePayload.tsx";
import { formatShortDateTime } from "../states.ts";
import { RotateSecretDialog } from "./EndpointDialogs.tsx";
import { EditEndpointDialog } from "./EndpointForm.tsx";
import { type Language, LANGUAGES, renderSnippet } from "./snippets.ts";

const LANGUAGE_NAMES: Record<Language, string> = { node: t("snippetNode"), python: t("snippetPython"), curl: t("snippetCurl") };
const LANGUAGE_HELP: Record<Language, string> = { node: t("snippetNodeHelp"), python: t("snippetPythonHelp"), curl: t("snippetCurlHelp") };

type ActiveDialog = "edit" | "rotate" | Language;

/** Shows an endpoint's event types, projects and signing secret, and code to verify its signatures. */
export function EndpointSettings({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [activeDialog, setActiveDialog] = useState<ActiveDialog | null>(null);
  const close = () => setActiveDialog(null);
  const { event_types, secret_hint, previous_secret_until: previous, description, last_delivered_at: last, project_ids } = endpoint;
  const now = useNow(previous !== null);
  return (
    <section className="rounded-lg border border-line px-4 dark:bg-bg/40">
      <dl>
        <Setting
          name={t("subscribedEvents")}
          actions={
            <Button size="sm" onClick={() => setActiveDialog("edit")}>
              {t("edit")}
            </Button>
          }
        >
          <span className="flex flex-wrap gap-1.5">
            {event_types.map((type) => (
              <span key={type} className="rounded-sm bg-hover px-2 py-0.5 text-sm">
                {type}
              </span>
            ))}
          </span>
          {description && <p className="mt-1 text-sm wrap-anywhere whitespace-pre-line text-text-2">{description}</p>}
          <p className="mt-1 text-sm text-text-3" title={last ? formatDateTime(last) : undefined}>
            {last ? t("lastDelivered", { when: formatRelativeTime(last, now) }) : t("neverDelivered")}
          </p>
        </Setting>
        {project_ids !== undefined && (
          <Setting name={t("projects")}>
            <EndpointProjects ids={project_ids} />
          </Setting>
        )}
        <Setting
          name={t("secretLabel")}
          actions={
            <Button size="sm" onClick={() => setActiveDialog("rotate")}>
              {t("rotate")}
            </Button>
          }
        >
          <span className="font-mono text-sm">{`whsec_••••••••${secret_hint}`}</span>
          {previous && new Date(previous).getTime() > now && (
            <p className="text-sm text-text-2">{t("secretOverlap", { when: formatShortDateTime(previous) })}</p>
          )}
        </Setting>
        <Setting
          name={t("verify")}
          actions={LANGUAGES.map((language) => (
            <Button key={language} size="sm" onClick={() => setActiveDialog(language)}>
              {LANGUAGE_NAMES[language]}
            </Button>
          ))}
        >
          {t("verifyHelp")}
        </Setting>
      </dl>
      {activeDialog === "edit" && <EditEndpointDialog endpoint={endpoint} onClose={close} />}
      {activeDialog === "rotate" && <RotateSecretDialog endpoint={endpoint} onClose={close} />}
      {activeDialog !== null && activeDialog !== "edit" && activeDialog !== "rotate" && (
        <SnippetDialog endpoint={endpoint} initialLanguage={activeDialog} onClose={close} />
      )}
    </section>
  );
}

/** Names the projects whose events an endpoint gets. */
function EndpointProjects({ ids }: { ids: readonly number[] | null }) {
  const projects = useProjects().data;
  if (ids === null) return t("allProjects");
  if (!projects) return null;
  const names = ids.flatMap((id) => projects.find((project) => project.id === id)?.name ?? []);
  const deletedCount = ids.length - names.length;
  return (
    <div className="text-sm">
      <ul aria-label={t("projects")} className="flex flex-wrap gap-1.5">
        {names.map((name) => (
          <li key={name} className="max-w-full truncate rounded-sm bg-hover px-2 py-0.5">
            <bdi>{name}</bdi>
          </li>
        ))}
        {deletedCount > 0 && <li className="px-1 py-0.5 text-text-3">{t("deletedProjects", { count: deletedCount })}</li>}
      </ul>
      {names.length === 0 && <p className="mt-1 text-text-2">{t("noProjectLeft")}</p>}
    </div>
  );
}

function Setting({ name, actions, children }: { name: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line py-2.5 last:border-0">
      <dt className="w-full shrink-0 text-sm leading-6 text-text-3 @min-[560px]/pane:w-28">{name}</dt>
      <dd className="min-w-0 flex-1 basis-44 leading-6">{children}</dd>
      {actions && <dd className="flex flex-wrap gap-1.5">{actions}</dd>}
    </div>
  );
}

interface SnippetDialogProps {
  endpoint: WebhookEndpoint;
  initialLanguage: Language;
  onClose(): void;
}

/** Shows code that verifies the signatures of this endpoint. */
function SnippetDialog({ endpoint, initialLanguage, onClose }: SnippetDialogProps) {
  const [language, setLanguage] = useState(initialLanguage);
  return (
    <Dialog title={t("snippetTitle")} description={LANGUAGE_HELP[language]} onClose={onClose} width="lg" lightDismiss>
      <div className="mb-3 flex gap-1">
        {LANGUAGES.map((option) => (
          <Button
            key={option}
            size="sm"
            variant={option === language ? "secondary" : "ghost"}
            aria-pressed={option === language}
            onClick={() => setLanguage(option)}
          >
            {LANGUAGE_NAMES[option]}
          </Button>
        ))}
      </div>
      <CodeBlock key={language} label={LANGUAGE_NAMES[language]} text={renderSnippet(language, endpoint, buildExampleEvent)} tall />
      <DialogActions>
        <Button onClick={onClose}>{tCommon("done")}</Button>
      </DialogActions>
    </Dialog>
  );
}
