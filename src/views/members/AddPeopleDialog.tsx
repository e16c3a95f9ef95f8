import { Check } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import type { Member } from "../../../contract/records.ts";
import { AgentBadge } from "../../components/agents/AgentBadge.tsx";
import { ErrorNotice } from "../../components/ErrorNotice.tsx";
import { ListState } from "../../components/ListSection.tsx";
import { roleName } from "../../components/role-labels.ts";
import { searchItems } from "../../lib/search.ts";
import { t as tCommon } from "../../lib/texts/common.ts";
import { t } from "../../lib/texts/members.ts";
import { useMembers } from "../../queries/members.ts";
import { useCan } from "../../queries/permissions.ts";
import { useAddProjectMember, useProjectMembers } from "../../queries/projects.ts";
import { announce } from "../../ui/announce.ts";
import { Avatar } from "../../components/Avatar.tsx";
import { Button } from "../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { SearchField } from "../../ui/SearchField.tsx";

/** Adds organization members to the project, several one after another. */
export function AddPeopleDialog({ projectId, onClose }: { projectId: number; onClose(): void }) {
  const allMembers = useMembers();
  const projectMembers = useProjectMembers(projectId).data ?? [];
  const canInvite = useCan("team.invite", { newRole: "member" });
  const [query, setQuery] = useState("");
  // Keeps people added from this dialog in the list, so that a press moves nothing under the pointer.
  const [initialMemberIds] = useState(() => new Set(projectMembers.map(({ id }) => id)));
  const candidates = (allMembers.data ?? [])
    .filter((member) => !member.disabled && !initialMemberIds.has(member.id))
    .toSorted((a, b) => a.username.localeCompare(b.username));
  const matches = searchItems(candidates, query, ({ username, email }) => `${username} ${email}`);
  return (
    <Dialog title={t("addTitle")} description={t("addLead")} onClose={onClose} lightDismiss>
      <ListState query={allMembers} rows={3} />
      {allMembers.data && candidates.length === 0 && <p className="text-text-2">{t("allAdded")}</p>}
      {candidates.length > 0 && (
        <>
          <SearchField label={t("addSearch")} labelHidden placeholder={t("addSearch")} autoFocus value={query} onChange={setQuery} />
          <ul className="mt-2 max-h-80 min-h-40 overflow-y-auto">
            {matches.map((member) => (
              <Candidate key={member.id} projectId={projectId} member={member} isAdded={projectMembers.some(({ id }) => id === member.id)} />
            ))}
            {matches.length === 0 && <li className="py-3 text-text-2">{t("noResults", { text: query.trim() })}</li>}
          </ul>
        </>
      )}
      <DialogActions>
        {canInvite && (
          <p className="mr-auto self-center text-sm text-text-2">
            {t("inviteHint")}{" "}
            <Link to="/settings/members?invite=new" className="text-link underline underline-offset-2">
              {t("inviteLink")}
            </Link>
          </p>
        )}
        <Button onClick={onClose}>{tCommon("done")}</Button>
      </DialogActions>
    </Dialog>
  );
}

function Candidate({ projectId, member, isAdded }: { projectId: number; member: Member; isAdded: boolean }) {
  const add = useAddProjectMember(projectId);
  return (
    <li className="border-b border-line last:border-0">
      <div className="flex h-13 items-center gap-3">
        <Avatar id={member.id} name={member.username} url={member.avatar_url} />
        <span className="min-w-0 flex-1">
          <span className="flex min-w-0 items-center gap-1.5">
            <span className="truncate font-medium">{member.username}</span>
            <AgentBadge accountId={member.id} />
          </span>
          <span className="block truncate text-sm text-text-3">{roleName(member.role)}</span>
        </span>
        {isAdded ? (
          <span className="flex items-center gap-1.5 px-2.5 text-sm text-ok">
            <Check size={16} aria-hidden />
            {t("added")}
          </span>
        ) : (
          <Button
            size="sm"
            aria-label={t("addName", { name: member.username })}
            pending={add.isPending}
            onClick={() => add.mutate(member.id, { onSuccess: () => announce(t("addedName", { name: member.username })) })}
          >
            {t("addButton")}
          </Button>
        )}
      </div>
      <ErrorNotice error={add.error} className="mb-2" />
    </li>
  );
}
