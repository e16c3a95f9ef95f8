import { Ellipsis, LogOut, UserMinus, UserPlus } from "lucide-react";
import { useState } from "react";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { canSeeEverything } from "../../../contract/policy.ts";
import type { ProjectMember } from "../../../contract/records.ts";
import { AgentBadge } from "../../components/agents/AgentBadge.tsx";
import { ConfirmAction } from "../../components/FormDialog.tsx";
import { ListRow, ListSection, ListState } from "../../components/ListSection.tsx";
import { describeLocalTime } from "../../components/people/local-time.ts";
import { PersonCard } from "../../components/people/PersonCard.tsx";
import { useMinute } from "../../components/people/use-minute.ts";
import { roleName } from "../../components/role-labels.ts";
import { t as tTime } from "../../lib/texts/local-time.ts";
import { t } from "../../lib/texts/members.ts";
import { t as tPeople } from "../../lib/texts/people.ts";
import { formatShortDay } from "../../lib/time.ts";
import { useCan } from "../../queries/permissions.ts";
import { useProjectMembers, useRemoveProjectMember } from "../../queries/projects.ts";
import { useSession } from "../../queries/session.ts";
import { useFollowProject } from "../../sync/live/use-connection.ts";
import { usePresentAccounts } from "../../sync/presence.ts";
import { Avatar, PresenceDot } from "../../components/Avatar.tsx";
import { Button } from "../../ui/Button.tsx";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { type AnchorRect, anchorRectOf } from "../../ui/Floating.tsx";
import { AddPeopleDialog } from "./AddPeopleDialog.tsx";

/** Lists the members of a project. */
export function MembersView() {
  const projectId = Number(useParams()["projectId"]);
  const { account } = useSession();
  const canAdd = useCan("project.member.add");
  const canRemoveOthers = useCan("project.member.remove", { isOwn: false });
  const members = useProjectMembers(projectId);
  useFollowProject(projectId);
  const presentIds = usePresentAccounts(projectId);
  const now = useMinute();
  const [search] = useSearchParams();
  const [isAdding, setIsAdding] = useState(canAdd && search.has("add"));
  const [memberToRemove, setMemberToRemove] = useState<ProjectMember | null>(null);
  const people = (members.data ?? []).toSorted((a, b) => a.username.localeCompare(b.username));
  const ownMember = people.find(({ id }) => id === account.id);
  const isAlone = people.length === 1 && ownMember !== undefined && canAdd;
  const addButton = canAdd && (
    <Button icon={UserPlus} variant="primary" onClick={() => setIsAdding(true)}>
      {t("add")}
    </Button>
  );
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto w-full max-w-190 px-4 py-6 tablet:px-6 tablet:py-8">
        <ListSection
          title={t("title")}
          lead={<span className="inline-block min-h-5">{members.data && t("count", { count: people.length })}</span>}
          actions={!isAlone && addButton}
        >
          <ListState query={members} rows={4} />
          <ul>
            {people.map((person) => (
              <PersonRow
                key={person.id}
                person={person}
                isSelf={person.id === account.id}
                isPresent={presentIds.includes(person.id)}
                now={now}
                onRemove={canRemoveOthers ? () => setMemberToRemove(person) : undefined}
              />
            ))}
          </ul>
          {isAlone && (
            <EmptyState title={t("onlyYou")} actions={addButton}>
              {t("onlyYouHelp")}
            </EmptyState>
          )}
        </ListSection>
        {ownMember && (
          <Button icon={LogOut} className="-mt-3" onClick={() => setMemberToRemove(ownMember)}>
            {t("leave")}
          </Button>
        )}
      </div>
      {isAdding && <AddPeopleDialog projectId={projectId} onClose={() => setIsAdding(false)} />}
      {memberToRemove && <RemoveMemberDialog projectId={projectId} person={memberToRemove} onClose={() => setMemberToRemove(null)} />}
    </div>
  );
}

interface PersonRowProps {
  person: ProjectMember;
  isSelf: boolean;
  isPresent: boolean;
  /** Epoch milliseconds. */
  now: number;
  onRemove: (() => void) | undefined;
}

/** "14:02 local time, outside working hours"; null where it is unknown. */
function describeTime(person: ProjectMember, now: number): string | null {
  const localTime = describeLocalTime(person, now);
  if (!localTime) return null;
  return tTime(localTime.isOffHours ? "localTimeOff" : "localTime", { time: localTime.time });
}

function PersonRow({ person, isSelf, isPresent, now, onRemove }: PersonRowProps) {
  const [cardAnchor, setCardAnchor] = useState<AnchorRect | null>(null);
  return (
    <ListRow
      picture={
        <span className="relative flex">
          <Avatar id={person.id} name={person.username} url={person.avatar_url} />
          {isPresent && <PresenceDot />}
          {cardAnchor && <PersonCard account={person} anchor={cardAnchor} onClose={() => setCardAnchor(null)} />}
        </span>
      }
      title={
        <>
          <button
            type="button"
            aria-haspopup="dialog"
            className="truncate font-medium hover:underline"
            onClick={({ currentTarget }) => setCardAnchor(anchorRectOf(currentTarget))}
          >
            {person.username}
          </button>
          <AgentBadge accountId={person.id} />
          {isSelf && <span className="text-sm text-text-3">{tPeople("you")}</span>}
          {isPresent && !isSelf && <span className="text-sm text-text-3">{t("presentNow")}</span>}
        </>
      }
      details={
        <span className="block truncate">
          {[roleName(person.role), describeTime(person, now), t("addedOn", { day: formatShortDay(person.added_at, now) }), person.user_info]
            .filter(Boolean)
            .join(" · ")}
        </span>
      }
    >
      {onRemove && !isSelf && (
        <Menu label={t("more", { name: person.username })} trigger={<Ellipsis size={18} aria-hidden />} triggerClassName={iconButtonClasses} align="end">
          <MenuItem icon={<UserMinus size={16} aria-hidden />} danger onSelect={onRemove}>
            {t("removeFromProject")}
          </MenuItem>
        </Menu>
      )}
    </ListRow>
  );
}

/** Removes a person from the project, or lets the user leave it. */
function RemoveMemberDialog({ projectId, person, onClose }: { projectId: number; person: ProjectMember; onClose(): void }) {
  const navigate = useNavigate();
  const session = useSession();
  const remove = useRemoveProjectMember(projectId);
  const isSelf = session.account.id === person.id;
  const isManager = canSeeEverything(person.role);
  const help = isSelf ? (isManager ? t("leaveManager") : t("leaveHelp")) : isManager ? t("removeManager", { name: person.username }) : t("removeHelp");
  return (
    <ConfirmAction
      action={remove}
      title={isSelf ? t("leaveTitle") : t("removeTitle", { name: person.username })}
      description={help}
      confirmLabel={isSelf ? t("leave") : t("remove")}
      onConfirm={() =>
        // A live event can remove this page before the response arrives.
        void remove.mutateAsync(person.id).then(
          () => {
            onClose();
            if (isSelf && !isManager) void navigate("/", { replace: true });
          },
          // The dialog shows the error.
          () => undefined,
        )
      }
      onClose={onClose}
    />
  );
}
