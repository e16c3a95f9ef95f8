import { LogOut } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { cleanName, nameKey } from "../../../contract/text.ts";
import { changePassword, updateAccount } from "../../../contract/operations/accounts.ts";
import type { Account } from "../../../contract/records.ts";
import { useClient } from "../../client/client.ts";
import { Form, SubmitButton } from "../../components/Form.tsx";
import { ListSection } from "../../components/ListSection.tsx";
import { MissingFeatures } from "../../components/MissingFeatures.tsx";
import { NewPasswordField } from "../../components/NewPasswordField.tsx";
import { roleDescription, roleName } from "../../components/role-labels.ts";
import { SignOutButton } from "../../components/SignOutDialog.tsx";
import { useForm } from "../../components/use-form.ts";
import { useRecordForm } from "../../components/use-record-form.ts";
import { useStore } from "../../lib/store.ts";
import { t as tCommon } from "../../lib/texts/common.ts";
import { classNames } from "../../lib/class-names.ts";
import { type NamedFeature, tFeature } from "../../lib/texts/not-offered.ts";
import { t as tMail } from "../../lib/texts/notification-delivery.ts";
import { t as tProfile } from "../../lib/texts/profile.ts";
import { t } from "../../lib/texts/settings.ts";
import { useChangePassword, useTokens, useUpdateAccount } from "../../queries/account.ts";
import { useGrants } from "../../queries/connected-apps.ts";
import { useMailSettings } from "../../queries/notification-delivery/use-mail.ts";
import { useHasFeature } from "../../queries/service.ts";
import { useSession } from "../../queries/session.ts";
import { CheckField, PasswordField, TextArea, TextField } from "../../ui/Field.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { PictureField } from "./profile/PictureField.tsx";
import { PlaceForm } from "./profile/PlaceForm.tsx";

const NAMED_FEATURES = Object.keys(tFeature.texts) as NamedFeature[];

export function ProfilePage() {
  const { organisation, role, scopes } = useSession();
  const { api } = useClient();
  const hasProfile = useHasFeature("accounts") && (api.usesSession || scopes.includes("account:write"));
  return (
    <>
      {!api.usesSession && (
        <Notice tone="info" title={t("byToken", { host: new URL(api.serviceUrl()).host })} className="mb-6">
          {t("byTokenHelp")}{" "}
          <a href="/connect" className="underline underline-offset-2">
            {t("changeService")}
          </a>
        </Notice>
      )}
      <ListSection title={t("profile")} lead={t("profileLead", { organisation: organisation.name })}>
        {hasProfile && <PictureField />}
        {api.usesSession && <ProfileForm />}
        <dl className={classNames("flex items-baseline gap-4 py-3", api.usesSession && "border-t border-line")}>
          <dt className="text-sm font-medium">{t("role")}</dt>
          <dd>
            {roleName(role)} <span className="text-text-3">· {roleDescription(role)}</span>
          </dd>
        </dl>
      </ListSection>
      {hasProfile && (
        <ListSection title={tProfile("place")} lead={tProfile("placeLead")}>
          <PlaceForm />
        </ListSection>
      )}
      <ListSection title={t("appearance")}>
        <ThemeField />
      </ListSection>
      {api.usesSession && (
        <ListSection title={t("passwordTitle")} lead={t("passwordLead")}>
          <PasswordForm />
        </ListSection>
      )}
      <MissingFeatures features={NAMED_FEATURES} className="mb-6 text-sm" />
      <SignOutButton icon={<LogOut size={16} aria-hidden />} />
    </>
  );
}

const FORM_CLASS = "flex flex-col gap-4 py-4";

function ProfileForm() {
  const { account } = useSession();
  const { username, email, user_info } = account;
  const form = useRecordForm<Pick<Account, "username" | "email" | "user_info">, Account>(useUpdateAccount(), updateAccount.body, {
    username,
    email,
    user_info,
  });
  const { values, changes } = form;
  const emailHint = useEmailHint(email, values.email.trim());
  const body = {
    ...changes,
    ...(changes.username !== undefined && { username: cleanName(changes.username, "nowhere") }),
    ...(changes.email !== undefined && { email: changes.email.trim() }),
  };
  return (
    <Form form={form} body={body} onDone={form.onSaved} className={FORM_CLASS}>
      <div className="grid gap-4 tablet:grid-cols-2">
        <TextField {...form.field("username", t("name"))} autoComplete="name" required maxLength={60} />
        <TextField {...form.field("email", t("email"))} hint={emailHint} type="email" autoComplete="email" required maxLength={254} />
      </div>
      <TextArea {...form.field("user_info", t("about"))} hint={t("aboutHint")} maxLength={500} />
      <div className="flex items-center gap-3">
        <SubmitButton form={form}>{tCommon("save")}</SubmitButton>
        <span role="status" className="text-ok">
          {form.isSaved ? t("saved") : ""}
        </span>
      </div>
    </Form>
  );
}

/** Returns what the address still needs to get notifications by email; null where the service sends none. */
function useEmailHint(saved: string, draft: string): ReactNode {
  const mail = useMailSettings().data;
  if (!mail?.enabled) return null;
  if (nameKey(draft) !== nameKey(saved)) return tMail("profileNew");
  // Another tab may have changed the address.
  if (mail.email !== saved || mail.address_status === "confirmed") return null;
  if (mail.address_status === "confirmation_sent") return tMail("profileSent");
  return (
    <>
      {tMail("profileUnconfirmed")}{" "}
      <Link to="/settings/notifications" className="underline underline-offset-2">
        {tMail("profileConfirm")}
      </Link>
    </>
  );
}

const EMPTY_PASSWORDS = { current_password: "", new_password: "", end_tokens: false };

function PasswordForm() {
  const { account } = useSession();
  const change = useChangePassword();
  const [tokens, apps] = [useTokens().data ?? [], useGrants().data ?? []];
  const hasTokens = tokens.length + apps.length > 0;
  const form = useForm(change, changePassword.body, EMPTY_PASSWORDS);
  return (
    <Form form={form} body={form.values} onDone={() => form.setValues(EMPTY_PASSWORDS)} className={FORM_CLASS}>
      {change.isSuccess && <Notice tone="ok">{t(change.variables.end_tokens ? "passwordChangedTokens" : "passwordChanged")}</Notice>}
      {/* Identifies the account of the password to password managers. */}
      <input type="text" name="username" autoComplete="username" value={account.email} readOnly hidden />
      <div className="grid items-start gap-4 tablet:grid-cols-2">
        <PasswordField {...form.field("current_password", t("currentPassword"))} name="current-password" autoComplete="current-password" required />
        <NewPasswordField {...form.field("new_password", t("newPassword"))} />
      </div>
      {hasTokens && (
        <CheckField
          label={t("passwordTokens")}
          hint={t("passwordTokensHint")}
          checked={form.values.end_tokens}
          onChange={(end_tokens) => form.setValues({ end_tokens })}
        />
      )}
      <div>
        <SubmitButton form={form} variant="secondary">
          {t("changePassword")}
        </SubmitButton>
      </div>
    </Form>
  );
}

const THEMES = { system: "themeSystem", light: "themeLight", dark: "themeDark" } as const;

function ThemeField() {
  const { theme } = useClient();
  const preference = useStore(theme.preference);
  return (
    <fieldset className="py-3">
      <legend className="sr-only">{t("appearance")}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        {(["system", "light", "dark"] as const).map((value) => (
          <label key={value} className="flex min-h-8 items-center gap-2">
            <input type="radio" name="theme" value={value} checked={preference === value} onChange={() => theme.set(value)} />
            {t(THEMES[value])}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
