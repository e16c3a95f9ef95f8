import { useState } from "react";
import type { Agent } from "../../../../../contract/agent-records.ts";
import { AGENT_EVENT_TYPES, type EventSubscription } from "../../../../../contract/agent-subscription-records.ts";
import { createEventSubscription, updateEventSubscription } from "../../../../../contract/operations/agent-subscriptions.ts";
import type { Project } from "../../../../../contract/records.ts";
import { FormDialog } from "../../../../components/FormDialog.tsx";
import { SecretStep } from "../../../../components/SecretDialog.tsx";
import { useForm } from "../../../../components/use-form.ts";
import { t, tEvent } from "../../../../lib/texts/agent-subscriptions.ts";
import { t as tCommon } from "../../../../lib/texts/common.ts";
import { useCreateSubscription, useUpdateSubscription } from "../../../../queries/agents/agent-subscriptions.ts";
import { announce } from "../../../../ui/announce.ts";
import { CheckField, FieldGroup, TextField } from "../../../../ui/Field.tsx";
import { Select } from "../../../../ui/Select.tsx";

const REACH_OPTIONS = [
  ["all", t("everyProject")],
  ["some", t("someProjects")],
] as const;

interface SubscriptionFormProps {
  agent: Agent;
  /** The projects that the agent is in. */
  projects: readonly Project[];
  /** Null creates a new subscription. */
  subscription: EventSubscription | null;
  onClose(): void;
}

/** Creates a subscription and shows its secret once, or changes one. */
export function SubscriptionForm({ agent, projects, subscription, onClose }: SubscriptionFormProps) {
  const create = useCreateSubscription(agent.id);
  const update = useUpdateSubscription({ agentId: agent.id, id: subscription?.id ?? 0 });
  const [created, setCreated] = useState<object | null>(null);
  const form = useForm(subscription ? update : create, (subscription ? updateEventSubscription : createEventSubscription).body, {
    url: subscription?.url ?? "",
    event_types: subscription?.event_types ?? ["message.created"],
    project_ids: subscription ? subscription.project_ids : null,
  });
  const { url, event_types: types, project_ids: projectIds } = form.values;
  // A repeated request returns no secret.
  const secret = created && "secret" in created && typeof created.secret === "string" ? created.secret : undefined;
  const onDone = (saved: object) => {
    announce(t("saved"));
    if (subscription) onClose();
    else setCreated(saved);
  };
  const toggleType = (type: string, isOn: boolean) =>
    form.setValues({ event_types: AGENT_EVENT_TYPES.filter((known) => (known === type ? isOn : types.includes(known))) });
  return (
    <FormDialog
      title={t(created ? "secretTitle" : subscription ? "editTitle" : "add")}
      description={secret !== undefined && t("secretHelp")}
      width="lg"
      form={form}
      body={{ url: url.trim(), event_types: [...types], project_ids: projectIds }}
      extraErrors={types.length === 0 ? [{ path: "event_types", message: t("typesNeeded") }] : []}
      onDone={onDone}
      onClose={onClose}
      submitLabel={subscription ? tCommon("save") : t("create")}
      result={created && <SecretStep label={t("secretLabel")} secret={secret} hiddenText={t("secretHidden")} onClose={onClose} />}
    >
      <TextField {...form.field("url", t("url"))} hint={t("urlHint")} type="url" autoComplete="off" spellCheck={false} autoFocus required />
      <FieldGroup label={t("types")} error={form.errorOf("event_types", t("types"))}>
        <div className="grid gap-x-4 gap-y-1.5 tablet:grid-cols-2">
          {AGENT_EVENT_TYPES.map((type) => (
            <CheckField
              key={type}
              label={tEvent(type)}
              hint={<code className="font-mono text-xs">{type}</code>}
              checked={types.includes(type)}
              onChange={(isOn) => toggleType(type, isOn)}
            />
          ))}
        </div>
      </FieldGroup>
      <Select
        label={t("projects")}
        value={projectIds === null ? "all" : "some"}
        options={REACH_OPTIONS}
        onChange={(reach) => form.setValues({ project_ids: reach === "all" ? null : [] })}
        error={form.errorOf("project_ids", t("projects"))}
      />
      {projectIds !== null && (
        <FieldGroup label={t("someProjects")}>
          <div className="flex max-h-40 flex-col gap-1 overflow-y-auto rounded-md border border-line p-3">
            {projects.map(({ id, name }) => (
              <CheckField
                key={id}
                label={<bdi className="wrap-anywhere">{name}</bdi>}
                checked={projectIds.includes(id)}
                onChange={(isOn) => form.setValues({ project_ids: isOn ? [...projectIds, id] : projectIds.filter((other) => other !== id) })}
              />
            ))}
          </div>
        </FieldGroup>
      )}
    </FormDialog>
  );
}
