import { LogOut, UserPlus } from "lucide-react";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { canSeeEverything } from "../../../contract/policy.ts";
import type { ProjectMember } from "../../../contract/records.ts";
import { useServiceTime } from "../../client/client.ts";
import { ErrorNotice, LoadError } from "../../components/ErrorNotice.tsx";
import { roleName } from "../../components/role-labels.ts";
import { t } from "../../lib/texts/members.ts";
import { t as tPeople } from "../../lib/texts/people.ts";
import { formatShortDay } from "../../lib/time.ts";
import { useCan } from "../../queries/permissions.ts";
import { useProjectMembers, useRemoveProjectMember } from "../../queries/projects.ts";
import { useSession } from "../../queries/session.ts";
import { useFollowProject } from "../../sync/live/use-connection.ts";
import { usePresentAccounts } from "../../sync/presence.ts";
import { Avatar, PresenceDot } from "../../ui/Avatar.tsx";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/Dialog.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { RowsSkeleton } from "../../ui/Skeleton.tsx";
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
  const [isAdding, setIsAdding] = useState(false);
  const [memberToRemove, setMemberToRemove] = useState<ProjectMember | null>(null);
  const people = (members.data ?? []).toSorted((a, b) => a.username.localeCompare(b.username));
  const ownMember = people.find(({ id }) => id === account.id);
  const isAlone = people.length === 1 && ownMember !== undefined && canAdd;
  const addButton = canAdd && (
    <Button variant="primary" onClick={() => setIsAdding(true)}>
      <UserPlus size={16} aria-hidden />
      {t("add")}
    </Button>
  );
  return (
    <div className="h-full overflow-y-auto">
      <section className="mx-auto w-full max-w-190 px-4 py-6 tablet:px-6 tablet:py-8">
        <div className="mb-3 flex min-h-8 flex-wrap items-center justify-between gap-3">
          <div>
            <h2 className="text-lg font-semibold">{t("title")}</h2>
            <p className="min-h-5 text-text-2">{members.data && t("count", { count: people.length })}</p>
          </div>
          {!isAlone && addButton}
        </div>
        <div className="overflow-hidden rounded-lg border border-line px-4 dark:bg-bg/40">
          {members.isPending && <RowsSkeleton rows={4} />}
          {members.isError && !members.data && <LoadError error={members.error} retry={() => void members.refetch()} />}
          <ul>
            {people.map((person) => (
              <PersonRow
                key={person.id}
                person={person}
                isSelf={person.id === account.id}
                isPresent={presentIds.includes(person.id)}
                onRemove={canRemoveOthers ? () => setMemberToRemove(person) : undefined}
              />
            ))}
          </ul>
          {isAlone && (
            <EmptyState title={t("onlyYou")} actions={addButton}>
              {t("onlyYouHelp")}
            </EmptyState>
          )}
        </div>
        {ownMember && (
          <Button className="mt-5" onClick={() => setMemberToRemove(ownMember)}>
            <LogOut size={16} aria-hidden />
            {t("leave")}
          </Button>
        )}
      </section>
      {isAdding && <AddPeopleDialog projectId={projectId} onClose={() => setIsAdding(false)} />}
      {memberToRemove && <RemoveMemberDialog projectId={projectId} person={memberToRemove} onClose={() => setMemberToRemove(null)} />}
    </div>
  );
}

function PersonRow({
  person,
  isSelf,
  isPresent,
  onRemove,
}: {
  person: ProjectMember;
  isSelf: boolean;
  isPresent: boolean;
  onRemove: (() => void) | undefined;
}) {
  const now = useServiceTime();
  return (
    <li className="-mx-4 flex min-h-15 items-center gap-3 border-b border-line px-4 py-2 last:border-0">
      <span className="relative flex">
        <Avatar id={person.id} name={person.username} url={person.avatar_url} />
        {isPresent && <PresenceDot />}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium">{person.username}</span>
          {isSelf && <span className="text-sm text-text-3">{tPeople("you")}</span>}
          {isPresent && !isSelf && <span className="text-sm text-text-3">{t("presentNow")}</span>}
        </p>
        <p className="truncate text-sm text-text-3">
          {roleName(person.role)} · {t("addedOn", { day: formatShortDay(person.added_at, now) })}
          {person.user_info && ` · ${person.user_info}`}
        </p>
      </div>
      {onRemove && !isSelf && (
        <Button size="sm" aria-label={t("removeName", { name: person.username })} onClick={onRemove}>
          {t("remove")}
        </Button>
      )}
    </li>
  );
}

interface RemoveMemberDialogProps {
  projectId: number;
  person: ProjectMember;
  onClose(): void;
}

/** Removes a person from the project, or lets the user leave it. */
function RemoveMemberDialog({ projectId, person, onClose }: RemoveMemberDialogProps) {
  const navigate = useNavigate();
  const session = useSession();
  const remove = useRemoveProjectMember(projectId);
  const isSelf = session.account.id === person.id;
  const isManager = canSeeEverything(person.role);
  const help = isSelf ? (isManager ? t("leaveManager") : t("leaveHelp")) : isManager ? t("removeManager", { name: person.username }) : t("removeHelp");
  return (
    <ConfirmDialog
      title={isSelf ? t("leaveTitle") : t("removeTitle", { name: person.username })}
      description={help}
      confirmLabel={isSelf ? t("leave") : t("remove")}
      cancelLabel={t("cancel")}
      pending={remove.isPending}
      onConfirm={() =>
        remove.mutate(person.id, {
          onSuccess: () => {
            onClose();
            if (isSelf && !isManager) void navigate("/", { replace: true });
          },
        })
      }
      onClose={onClose}
    >
      <ErrorNotice error={remove.error} />
    </ConfirmDialog>
  );
}
