/** The views behind one-time links: joining by an invite, resetting a password and setting up the service. */
import { useNavigate } from "react-router";
import { cleanName } from "../../../contract/text.ts";
import type { InvitePreview, PasswordResetPreview } from "../../../contract/access-records.ts";
import { resetPassword, setUp } from "../../../contract/operations/session.ts";
import { acceptInvite } from "../../../contract/operations/teams.ts";
import { useServiceTime } from "../../client/client.ts";
import { Form, SubmitButton } from "../../components/Form.tsx";
import { NewPasswordField } from "../../components/NewPasswordField.tsx";
import { roleName } from "../../components/role-labels.ts";
import { useForm } from "../../components/use-form.ts";
import { t as tPeople } from "../../lib/texts/people.ts";
import { t } from "../../lib/texts/sign-in.ts";
import { formatShortDay } from "../../lib/time.ts";
import { describeLoadError } from "../../queries/describe-error.ts";
import { useInvitePreview } from "../../queries/invites.ts";
import { useService } from "../../queries/service.ts";
import { useAcceptInvite, useMaybeSession, usePasswordResetPreview, useResetPassword, useSetUp } from "../../queries/session.ts";
import { CheckField, type FieldProps, TextField } from "../../ui/Field.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { AuthLayout, LoadFailure, UnusableLink, useLinkToken } from "./AuthLayout.tsx";

export function InviteView() {
  const token = useLinkToken();
  const preview = useInvitePreview(token);
  if (!token) return <UnusableLink title={t("inviteNoToken")}>{t("inviteNoTokenHelp")}</UnusableLink>;
  if (preview.data) return <JoinForm token={token} invite={preview.data} />;
  if (preview.error)
    return <LinkError error={preview.error} invalidTitle={t("inviteInvalid")} invalidHelp={t("inviteInvalidHelp")} retry={() => void preview.refetch()} />;
  return <LoadingLink fields={["h-5 w-3/4", "h-9", "h-9", "h-9", "h-10"]} />;
}

function JoinForm({ token, invite }: { token: string; invite: InvitePreview }) {
  const navigate = useNavigate();
  const now = useServiceTime();
  const session = useMaybeSession();
  const form = useForm(useAcceptInvite(), acceptInvite.body, { username: "", email: invite.email ?? "", password: "" });
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
      <Form
        form={form}
        body={{ token, ...form.values, username: cleanName(form.values.username, "nowhere") }}
        onDone={() => void navigate("/", { replace: true })}
      >
        <PersonFields field={form.field} autoFocus />
        <SubmitButton form={form} size="lg">
          {t("inviteSubmit")}
        </SubmitButton>
      </Form>
    </AuthLayout>
  );
}

export function ResetPasswordView() {
  const token = useLinkToken();
  const preview = usePasswordResetPreview(token);
  if (!token) return <UnusableLink title={t("resetNoToken")}>{t("resetNoTokenHelp")}</UnusableLink>;
  if (preview.data) return <ResetForm token={token} reset={preview.data} />;
  if (preview.error)
    return <LinkError error={preview.error} invalidTitle={t("resetInvalid")} invalidHelp={t("resetInvalidHelp")} retry={() => void preview.refetch()} />;
  return <LoadingLink fields={["h-5 w-3/4", "h-9", "h-10"]} />;
}

function ResetForm({ token, reset }: { token: string; reset: PasswordResetPreview }) {
  const navigate = useNavigate();
  const form = useForm(useResetPassword(), resetPassword.body, { password: "", end_tokens: true });
  const hasTokens = reset.api_tokens > 0;
  return (
    <AuthLayout
      title={t("resetTitle")}
      lead={
        <>
          <p className="break-words">{t("resetFor", { person: reset.username, email: reset.email })}</p>
          <p>
            {t("resetLead")} {hasTokens && reset.ends_tokens && t("resetEndsTokens")}
          </p>
        </>
      }
    >
      <Form form={form} body={{ token, ...form.values }} onDone={() => void navigate("/", { replace: true })}>
        {/* Identifies the account of the password to password managers. */}
        <input type="text" name="username" autoComplete="username" value={reset.email} readOnly hidden />
        <NewPasswordField {...form.field("password", tPeople("newPassword"))} />
        {hasTokens && !reset.ends_tokens && (
          <CheckField
            label={t("resetTokens")}
            hint={t("resetTokensHint", { count: reset.api_tokens })}
            checked={form.values.end_tokens}
            onChange={(end_tokens) => form.setValues({ end_tokens })}
          />
        )}
        <SubmitButton form={form} size="lg">
          {t("resetSubmit")}
        </SubmitButton>
      </Form>
    </AuthLayout>
  );
}

interface LinkErrorProps {
  error: unknown;
  invalidTitle: string;
  invalidHelp: string;
  retry(): void;
}

/** Shows that a link is invalid, or why it could not be checked. */
export function LinkError({ error, invalidTitle, invalidHelp, retry }: LinkErrorProps) {
  const { title, help } = describeLoadError(error);
  if (!help) return <UnusableLink title={invalidTitle}>{invalidHelp}</UnusableLink>;
  return <LoadFailure title={title} help={help} retry={retry} />;
}

/** A placeholder for the form while its link is checked. */
export function LoadingLink({ fields }: { fields: readonly string[] }) {
  return (
    <AuthLayout title={t("loading")}>
      <div className="flex flex-col gap-4">
        {fields.map((skeletonClass, index) => (
          <Skeleton key={index} className={skeletonClass} />
        ))}
      </div>
    </AuthLayout>
  );
}

export function SetUpView() {
  const navigate = useNavigate();
  const token = useLinkToken();
  const service = useService();
  const form = useForm(useSetUp(), setUp.body, { organisation: "", username: "", email: "", password: "" });
  if (service.data?.setup_required === false && !form.isPending) return <UnusableLink title={t("setupDone")}>{t("setupDoneHelp")}</UnusableLink>;
  if (!token) return <UnusableLink title={t("setupNoToken")}>{t("setupNoTokenHelp")}</UnusableLink>;
  return (
    <AuthLayout title={t("setupTitle")} lead={t("setupLead")}>
      <Form
        form={form}
        body={{ token, ...form.values, organisation: cleanName(form.values.organisation), username: cleanName(form.values.username, "nowhere") }}
        onDone={() => void navigate("/welcome", { replace: true })}
      >
        <TextField
          {...form.field("organisation", t("organisation"))}
          hint={t("organisationHint")}
          name="organization"
          autoComplete="organization"
          required
          autoFocus
          maxLength={120}
        />
        <PersonFields field={form.field} />
        <SubmitButton form={form} size="lg">
          {t("setupSubmit")}
        </SubmitButton>
      </Form>
    </AuthLayout>
  );
}

interface PersonFieldsProps {
  field(name: "username" | "email" | "password", label: string): FieldProps<string>;
  autoFocus?: boolean;
}

/** Renders the name, email and password fields of a new account. */
function PersonFields({ field, autoFocus }: PersonFieldsProps) {
  return (
    <>
      <TextField {...field("username", t("username"))} hint={t("usernameHint")} name="name" autoComplete="name" required maxLength={60} autoFocus={autoFocus} />
      <TextField {...field("email", t("email"))} hint={t("emailHint")} name="email" type="email" autoComplete="email" required maxLength={254} />
      <NewPasswordField {...field("password", t("password"))} />
    </>
  );
}
