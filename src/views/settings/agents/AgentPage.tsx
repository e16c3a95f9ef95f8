/** One agent: what it may do, its tokens and tasks, and what it did. */
import { ArrowLeft, Ellipsis, Pause, Pencil, Play, SearchX, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import type { Agent } from "../../../../contract/agent-records.ts";
import { useServiceTime } from "../../../client/client.ts";
import { AgentMark } from "../../../components/agents/AgentBadge.tsx";
import { Avatar } from "../../../components/Avatar.tsx";
import { ErrorNotice } from "../../../components/ErrorNotice.tsx";
import { ConfirmAction } from "../../../components/FormDialog.tsx";
import { ListSection, ListState } from "../../../components/ListSection.tsx";
import { t } from "../../../lib/texts/agents.ts";
import { formatDayTime } from "../../../lib/time.ts";
import { ALL_ACTIONS, useAgentActions } from "../../../queries/agents/agent-actions.ts";
import { useAgents, useDeleteAgent, useUpdateAgent } from "../../../queries/agents/use-agents.ts";
import { useMembers } from "../../../queries/members.ts";
import { useCan } from "../../../queries/permissions.ts";
import { useHasFeature } from "../../../queries/service.ts";
import { announce } from "../../../ui/announce.ts";
import { Button, buttonClasses } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { StateMark } from "../../../ui/StateMark.tsx";
import { AgentActivity } from "./activity/AgentActivity.tsx";
import { AgentForm } from "./AgentForm.tsx";
import { AgentTokens } from "./AgentTokens.tsx";
import { Permissions } from "./Permissions.tsx";
import { AgentSubscriptions } from "./subscriptions/AgentSubscriptions.tsx";
import { AgentTasks } from "./tasks/AgentTasks.tsx";

export function AgentPage() {
  const agents = useAgents();
  const id = Number(useParams()["agentId"]);
  const agent = agents.data?.find((one) => one.id === id);
  const canManage = useCan("agent.manage");
  const hasSubscriptions = useHasFeature("agent-subscriptions");
  const canSeeTasks = useCan("agent_task.read");
  const canSeeActivity = useCan("agent_action.read");
  if (!agents.data) {
    return (
      <ListSection title={t("agents")}>
        <ListState query={agents} rows={4} />
      </ListSection>
    );
  }
  if (!agent) return <MissingAgent id={id} />;
  return (
    <>
      <Header key={id} agent={agent} canManage={canManage} />
      <Permissions agent={agent} />
      {canManage && <AgentTokens agent={agent} />}
      {canSeeTasks && <AgentTasks agent={agent} />}
      {canManage && hasSubscriptions && <AgentSubscriptions agent={agent} />}
      {canSeeActivity && <AgentActivity agentId={id} />}
    </>
  );
}

/** A deleted agent, whose log stays and whose actions people still undo, or none. */
function MissingAgent({ id }: { id: number }) {
  const canSeeActivity = useCan("agent_action.read");
  const log = useAgentActions(id, ALL_ACTIONS, canSeeActivity);
  if (log.actions && log.actions.length > 0) {
    return (
      <>
        <BackLink />
        <h2 className="text-lg font-semibold">{t("deletedAgent")}</h2>
        <p className="mb-8 text-text-2">{t("deletedAgentHelp")}</p>
        <AgentActivity agentId={id} />
      </>
    );
  }
  return (
    <EmptyState
      icon={<SearchX size={22} aria-hidden />}
      title={t("notFound")}
      actions={
        <Link to="/settings/agents" className={buttonClasses()}>
          {t("back")}
        </Link>
      }
    >
      {t("notFoundHelp")}
    </EmptyState>
  );
}

const BackLink = () => (
  <Link to="/settings/agents" className="mb-4 inline-flex items-center gap-1.5 text-sm text-text-2 hover:text-text">
    <ArrowLeft size={14} aria-hidden /> {t("back")}
  </Link>
);

/** Returns the name of a person; undefined for somebody who is not listed. */
function useNameOf(): (id: number | null) => string | undefined {
  const members = useMembers().data;
  return (id) => members?.find((member) => member.id === id)?.username;
}

function Header({ agent, canManage }: { agent: Agent; canManage: boolean }) {
  const { id, username, user_info: about, avatar_url: avatarUrl, paused } = agent;
  const [dialog, setDialog] = useState<"edit" | "delete" | null>(null);
  const update = useUpdateAgent(id);
  const now = useServiceTime();
  const nameOf = useNameOf();
  const hasTasks = useHasFeature("agent-tasks");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const creator = nameOf(agent.created_by_account_id);
  const created = formatDayTime(agent.created_at, now);
  const pauser = nameOf(agent.paused_by_account_id);
  const pausedAt = agent.paused_at === null ? "" : formatDayTime(agent.paused_at, now);
  const togglePause = () =>
    update.mutate({ paused: !paused }, { onSuccess: (saved) => announce(t(saved.paused ? "isPaused" : "isResumed", { name: username })) });
  return (
    <header className="mb-8">
      <BackLink />
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <Avatar id={id} name={username} url={avatarUrl} size="lg" className={paused ? "opacity-50" : undefined} />
        <div className="min-w-0 flex-[1_1_14rem]">
          <div className="flex flex-wrap items-center gap-x-2">
            <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold wrap-anywhere outline-none">
              <bdi>{username}</bdi>
            </h2>
            <AgentMark />
            {paused && <StateMark>{t("paused")}</StateMark>}
          </div>
          {about && <p className="wrap-anywhere text-text-2">{about}</p>}
          <p className="text-sm text-text-3">{creator === undefined ? t("createdAt", { when: created }) : t("createdBy", { name: creator, when: created })}</p>
        </div>
        {canManage && (
          <div className="flex items-center gap-2">
            <Button icon={paused ? Play : Pause} variant={paused ? "primary" : "secondary"} pending={update.isPending} onClick={togglePause}>
              {t(paused ? "resume" : "pause")}
            </Button>
            <Button icon={Pencil} onClick={() => setDialog("edit")}>
              {t("edit")}
            </Button>
            <Menu label={t("more", { name: username })} trigger={<Ellipsis size={18} aria-hidden />} triggerClassName={iconButtonClasses} align="end">
              <MenuItem icon={<Trash2 size={16} aria-hidden />} danger onSelect={() => setDialog("delete")}>
                {t("delete")}
              </MenuItem>
            </Menu>
          </div>
        )}
      </div>
      <ErrorNotice error={update.error} className="mt-3" />
      {paused && (
        <Notice tone="info" title={pauser === undefined ? t("pausedAt", { when: pausedAt }) : t("pausedBy", { name: pauser, when: pausedAt })} className="mt-4">
          {t(hasTasks ? "pausedHelp" : "pausedHelpTokens")}
        </Notice>
      )}
      {dialog === "edit" && <AgentForm agent={agent} onSaved={() => setDialog(null)} onClose={() => setDialog(null)} />}
      {dialog === "delete" && <DeleteDialog agent={agent} onClose={() => setDialog(null)} />}
    </header>
  );
}

function DeleteDialog({ agent: { id, username }, onClose }: { agent: Agent; onClose(): void }) {
  const remove = useDeleteAgent();
  const navigate = useNavigate();
  return (
    <ConfirmAction
      action={remove}
      title={t("deleteTitle", { name: username })}
      description={t("deleteHelp")}
      confirmLabel={t("confirmDelete")}
      onConfirm={() =>
        void remove.mutateAsync(id).then(
          () => {
            announce(t("deleted", { name: username }));
            void navigate("/settings/agents");
          },
          // The dialog shows the error.
          () => undefined,
        )
      }
      onClose={onClose}
    />
  );
}
