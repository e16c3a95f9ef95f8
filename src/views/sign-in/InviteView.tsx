import { useState } from "react";
import { useNavigate } from "react-router";
import type { InvitePreview } from "../../../contract/access-records.ts";
import { acceptInvite as operation } from "../../../contract/operations/teams.ts";
import { useServiceTime } from "../../client/client.ts";
import { FormProblem } from "../../components/ErrorNotice.tsx";
import { roleName } from "../../components/role-labels.ts";
import { t as tProblems } from "../../lib/texts/problems.ts";
import { t } from "../../lib/texts/sign-in.ts";
import { formatShortDay } from "../../lib/time.ts";
import { describeError } from "../../queries/describe-error.ts";
import { useInvitePreview } from "../../queries/invites.ts";
import { useAcceptInvite, useMaybeSession } from "../../queries/session.ts";
import { useForm } from "../../queries/use-form.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { AuthLayout, UnusableLink, useLinkToken } from "./AuthLayout.tsx";
import { PersonFields } from "./PersonFields.tsx";

export function InviteView() {
  const token = useLinkToken();
  const preview = useInvitePreview(token);
  if (!token) {
    return (
      <AuthLayout title={t("inviteNoToken")}>
        <UnusableLink>{t("inviteNoTokenHelp")}</UnusableLink>
      </AuthLayout>
    );
  }
  if (preview.data) return <JoinForm token={token} invite={preview.data} />;
  if (preview.error && describeError(preview.error).help) {
    const { title, help } = describeError(preview.error);
    return (
      <AuthLayout title={title}>
        <p className="text-text-2">{help}</p>
        <Button size="lg" className="mt-5 w-full" onClick={() => preview.refetch()}>
          {tProblems("retry")}
        </Button>
      </AuthLayout>
    );
  }
  if (preview.error) {
    return (
      <AuthLayout title={t("inviteInvalid")}>
        <UnusableLink>{t("inviteInvalidHelp")}</UnusableLink>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t("loading")}>
      <div className="flex flex-col gap-4">
        {["h-5 w-3/4", "h-9", "h-9", "h-9", "h-10"].map((skeletonClass, index) => (
          <Skeleton key={index} className={skeletonClass} />
        ))}
      </div>
    </AuthLayout>
  );
}

function JoinForm({ token, invite }: { token: string; invite: InvitePreview }) {
  const navigate = useNavigate();
  const now = useServiceTime();
  const session = useMaybeSession();
  const [person, setPerson] = useState({ username: "", email: invite.email ?? "", password: "" });
  const form = useForm(useAcceptInvite(), operation.body, ["username", "email", "password"]);
  return (
    <AuthLayout
      title={t("inviteTitle", { organisation: invite.organisation })}
      lead={
        <>
          <p>{t("inviteLead", { person: invite.invited_by, role: roleName(invite.role).toLowerCase() })}</p>
          {invite.projects.length === 0 ? (
            <p>{t("inviteNoProjects")}</p>
          ) : (
            <>
              <p>{t("inviteProjects", { count: invite.projects.length })}</p>
              <ul className="mt-1 list-inside list-disc font-medium text-text">
                {invite.projects.map((name, index) => (
                  <li key={index}>{name}</li>
                ))}
              </ul>
            </>
          )}
          <p className="mt-1 text-sm text-text-3">{t("inviteExpires", { day: formatShortDay(invite.expires_at, now) })}</p>
        </>
      }
    >
      {session && !form.isPending && (
        <Notice tone="info" title={t("inviteSignedIn", { person: session.account.username })} className="mb-5">
          {t("inviteSignedInHelp")}
        </Notice>
      )}
      <form
        ref={form.ref}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={async (event) => {
          if (await form.submit(event, { token, ...person })) void navigate("/", { replace: true });
        }}
      >
        <FormProblem problem={form.problem} />
        <PersonFields value={person} onChange={setPerson} errorOf={form.errorOf} autoFocus />
        <Button type="submit" variant="primary" size="lg" pending={form.isPending}>
          {t("inviteSubmit")}
        </Button>
      </form>
    </AuthLayout>
  );
}
