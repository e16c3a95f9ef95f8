import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import type { Member } from "../../../contract/records.ts";
import { t } from "../../lib/messages/settings.ts";
import { LoadError } from "../../parts/load-error/LoadError.tsx";
import { useMembers } from "../../queries/members/use-members.ts";
import { usePermissions } from "../../queries/session/use-rights.ts";
import { useSession } from "../../queries/session/use-session.ts";
import { Button } from "../../ui/Button.tsx";
import { RowsSkeleton } from "../../ui/RowsSkeleton.tsx";
import { DisableDialog } from "./components/DisableDialog.tsx";
import { InviteDialog } from "./components/InviteDialog.tsx";
import { MemberRow } from "./components/MemberRow.tsx";
import { OpenInvites } from "./components/OpenInvites.tsx";
import { ResetLinkDialog } from "./components/ResetLinkDialog.tsx";
import { Section } from "./components/Section.tsx";

type ActiveDialog = { kind: "disable" | "reset"; member: Member };

/** Lists the organization's members: `?person=` highlights one, `?invite=new` opens the invite dialog. */
export function MembersPage() {
  const { organisation } = useSession();
  const rights = usePermissions();
  const members = useMembers();
  const [search, setSearch] = useSearchParams();
  const [activeDialog, setActiveDialog] = useState<ActiveDialog | null>(null);
  const inviting = rights.canInvite && search.get("invite") === "new";
  const highlightedId = Number(search.get("person"));
  const close = () => setActiveDialog(null);
  const people = (members.data ?? []).toSorted((a, b) => Number(a.disabled) - Number(b.disabled) || a.username.localeCompare(b.username));

  return (
    <>
      <Section
        title={t("members")}
        lead={members.data && t("membersLead", { count: people.length, organisation: organisation.name })}
        actions={
          rights.canInvite && (
            <Button variant="primary" onClick={() => setSearch({ invite: "new" })}>
              <UserPlus size={16} aria-hidden />
              {t("invite")}
            </Button>
          )
        }
      >
        {members.isPending && <RowsSkeleton rows={4} />}
        {members.isError && !members.data && <LoadError error={members.error} retry={() => void members.refetch()} />}
        {members.data && (
          <ul>
            {people.map((member) => (
              <MemberRow
                key={member.id}
                member={member}
                highlighted={member.id === highlightedId}
                onReset={() => setActiveDialog({ kind: "reset", member })}
                onDisable={() => setActiveDialog({ kind: "disable", member })}
              />
            ))}
          </ul>
        )}
      </Section>
      {rights.canInvite && <OpenInvites />}
      {inviting && <InviteDialog onClose={() => setSearch({}, { replace: true })} />}
      {activeDialog?.kind === "reset" && <ResetLinkDialog member={activeDialog.member} onClose={close} />}
      {activeDialog?.kind === "disable" && <DisableDialog member={activeDialog.member} onClose={close} />}
    </>
  );
}
