import { Plus, Radio } from "lucide-react";
import { useRef, useState } from "react";
import type { Agent } from "../../../../../contract/agent-records.ts";
import type { EventSubscription } from "../../../../../contract/agent-subscription-records.ts";
import { LIMITS } from "../../../../../contract/limits.ts";
import { useServiceTime } from "../../../../client/client.ts";
import { ConfirmAction } from "../../../../components/FormDialog.tsx";
import { ListSection, ListState } from "../../../../components/ListSection.tsx";
import { SecretDialog } from "../../../../components/SecretDialog.tsx";
import { formatUrl } from "../../../../lib/format.ts";
import { t } from "../../../../lib/texts/agent-subscriptions.ts";
import { formatDayTime } from "../../../../lib/time.ts";
import { type SubscriptionRef, useDeleteSubscription, useRotateSubscriptionSecret, useSubscriptions } from "../../../../queries/agents/agent-subscriptions.ts";
import { useProjects } from "../../../../queries/projects.ts";
import { announce } from "../../../../ui/announce.ts";
import { Button } from "../../../../ui/Button.tsx";
import { EmptyState } from "../../../../ui/EmptyState.tsx";
import { useFocusAfterRemoval } from "../../../../ui/use-focus-after-removal.ts";
import { DeliveriesDialog } from "./DeliveriesDialog.tsx";
import { SubscriptionForm } from "./SubscriptionForm.tsx";
import { SubscriptionRow } from "./SubscriptionRow.tsx";

type ActiveDialog = { kind: "new" } | { kind: "edit" | "rotate" | "delete" | "deliveries"; subscription: EventSubscription };

/** The addresses to which events of the agent's projects are sent. */
export function AgentSubscriptions({ agent }: { agent: Agent }) {
  const subscriptions = useSubscriptions(agent.id);
  const projects = (useProjects().data ?? []).filter(({ id }) => agent.project_ids.includes(id));
  const [dialog, setDialog] = useState<ActiveDialog | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const focusAddButton = useFocusAfterRemoval(addButton);
  const count = subscriptions.data?.length ?? 0;
  const isFull = count >= LIMITS.agent_subscriptions;
  const close = () => setDialog(null);
  const current = dialog && "subscription" in dialog ? subscriptions.data?.find(({ id }) => id === dialog.subscription.id) : undefined;
  const ref = { agentId: agent.id, id: current?.id ?? 0 };
  return (
    <ListSection
      title={t("title")}
      lead={t("lead")}
      actions={
        <Button ref={addButton} icon={Plus} disabled={isFull} onClick={() => setDialog({ kind: "new" })}>
          {t("add")}
        </Button>
      }
    >
      <ListState query={subscriptions} rows={1} />
      {subscriptions.data && count === 0 && (
        <EmptyState icon={<Radio size={22} aria-hidden />} title={t("empty")}>
          {t("emptyHelp")}
        </EmptyState>
      )}
      <ul>
        {subscriptions.data?.map((subscription) => (
          <SubscriptionRow key={subscription.id} subscription={subscription} onOpen={(kind) => setDialog({ kind, subscription })} />
        ))}
      </ul>
      {isFull && <p className="py-3 text-text-2">{t("full", { most: LIMITS.agent_subscriptions })}</p>}
      {dialog?.kind === "new" && <SubscriptionForm agent={agent} projects={projects} subscription={null} onClose={close} />}
      {dialog?.kind === "edit" && current && <SubscriptionForm agent={agent} projects={projects} subscription={current} onClose={close} />}
      {dialog?.kind === "rotate" && current && <RotateDialog subscriptionRef={ref} onClose={close} />}
      {dialog?.kind === "deliveries" && current && <DeliveriesDialog subscription={current} onClose={close} />}
      {dialog?.kind === "delete" && current && <DeleteDialog subscriptionRef={ref} url={current.url} onDeleted={focusAddButton} onClose={close} />}
    </ListSection>
  );
}

/** Asks for confirmation, then shows the new secret once. */
function RotateDialog({ subscriptionRef, onClose }: { subscriptionRef: SubscriptionRef; onClose(): void }) {
  const rotate = useRotateSubscriptionSecret();
  const now = useServiceTime();
  if (rotate.data?.secret) {
    const { secret, previous_secret_until: until } = rotate.data;
    const description = t("rotatedHelp", { when: formatDayTime(until, now) });
    return <SecretDialog title={t("secretTitle")} description={description} label={t("secretLabel")} secret={secret} onClose={onClose} />;
  }
  return (
    <ConfirmAction
      action={rotate}
      title={t("rotateTitle")}
      description={t("rotateHelp")}
      confirmLabel={t("rotateConfirm")}
      onConfirm={() => rotate.mutate(subscriptionRef)}
      onClose={onClose}
    />
  );
}

interface DeleteDialogProps {
  subscriptionRef: SubscriptionRef;
  url: string;
  onDeleted(): void;
  onClose(): void;
}

function DeleteDialog({ subscriptionRef, url, onDeleted, onClose }: DeleteDialogProps) {
  const remove = useDeleteSubscription(subscriptionRef);
  return (
    <ConfirmAction
      action={remove}
      title={t("deleteTitle")}
      description={t("deleteHelp", { url: formatUrl(url) })}
      confirmLabel={t("confirmDelete")}
      onConfirm={() =>
        void remove.mutateAsync().then(
          () => {
            announce(t("deleted"));
            onDeleted();
            onClose();
          },
          // The dialog shows the error.
          () => undefined,
        )
      }
      onClose={onClose}
    />
  );
}
