import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import type { Member } from "../../../contract/records.ts";
import { t } from "../../lib/messages/settings.ts";
import { LoadError } from "../../parts/load-error/LoadError.tsx";
import { useMembers } from "../../queries/members/use-members.ts";
import { useRights } from "../../queries/session/use-rights.ts";
import { useSession } from "../../queries/session/use-session.ts";
import { Button } from "../../ui/Button.tsx";
import { RowsSkeleton } from "../../ui/RowsSkeleton.tsx";
import { DisableDialog } from "./components/DisableDialog.tsx";
import { InviteDialog } from "./components/InviteDialog.tsx";
import { MemberRow } from "./components/MemberRow.tsx";
import { OpenInvites } from "./components/OpenInvites.tsx";
import { ResetLinkDialog } from "./components/ResetLinkDialog.tsx";
import { Section } from "./components/Section.tsx";

type Asked = { what: "disable" | "reset"; member: Member };

/** The people of the organisation: `?person=` marks one, `?invite=new` opens the invite. */
export function MembersPage() {
  const { organisation } = useSession();
  const rights = useRights();
  const members = useMembers();
  const [search, setSearch] = useSearchParams();
  const [asked, setAsked] = useState<Asked | null>(null);
  const inviting = rights.invites && search.get("invite") === "new";
  const marked = Number(search.get("person"));
  const close = () => setAsked(null);
  const people = (members.data ?? []).toSorted((a, b) => Number(a.disabled) - Number(b.disabled) || a.username.localeCompare(b.username));

  return (
    <>
      <Section
        title={t("members")}
        lead={members.data && t("membersLead", { count: people.length, organisation: organisation.name })}
        actions={
          rights.invites && (
            <Button look="primary" onClick={() => setSearch({ invite: "new" })}>
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
                marked={member.id === marked}
                onReset={() => setAsked({ what: "reset", member })}
                onDisable={() => setAsked({ what: "disable", member })}
              />
            ))}
          </ul>
        )}
      </Section>
      {rights.invites && <OpenInvites />}
      {inviting && <InviteDialog onClose={() => setSearch({}, { replace: true })} />}
      {asked?.what === "reset" && <ResetLinkDialog member={asked.member} onClose={close} />}
      {asked?.what === "disable" && <DisableDialog member={asked.member} onClose={close} />}
    </>
  );
}
