import { LogOut } from "lucide-react";
import { useState } from "react";
import { updateAccount as operation } from "../../../../contract/operations/accounts.ts";
import { useStore } from "../../../lib/store.ts";
import { useClient } from "../../../client/client.ts";
import { FormProblem } from "../../../components/ErrorNotice.tsx";
import { roleDescription, roleName } from "../../../components/role-labels.ts";
import { SignOutButton } from "../../../components/SignOutDialog.tsx";
import { t } from "../../../lib/texts/settings.ts";
import { useUpdateAccount } from "../../../queries/account.ts";
import { useSession } from "../../../queries/session.ts";
import { useForm } from "../../../queries/use-form.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextArea, TextField } from "../../../ui/Field.tsx";
import type { ThemePreference } from "../../../ui/theme.ts";
import { SettingsSection } from "../SettingsView.tsx";
import { PasswordForm } from "./PasswordForm.tsx";

export function ProfilePage() {
  const { organisation, role } = useSession();
  return (
    <>
      <SettingsSection title={t("profile")} lead={t("profileLead", { organisation: organisation.name })}>
        <ProfileForm />
        <dl className="flex items-baseline gap-4 border-t border-line py-3">
          <dt className="text-sm font-medium">{t("role")}</dt>
          <dd>
            {roleName(role)} <span className="text-text-3">· {roleDescription(role)}</span>
          </dd>
        </dl>
      </SettingsSection>
      <SettingsSection title={t("appearance")}>
        <ThemeField />
      </SettingsSection>
      <SettingsSection title={t("passwordTitle")} lead={t("passwordLead")}>
        <PasswordForm />
      </SettingsSection>
      <SignOutButton icon={<LogOut size={16} aria-hidden />} />
    </>
  );
}

function ProfileForm() {
  const { account } = useSession();
  const [username, setUsername] = useState(account.username);
  const [email, setEmail] = useState(account.email);
  const [about, setAbout] = useState(account.user_info);
  const [isSaved, setIsSaved] = useState(false);
  const form = useForm(useUpdateAccount(), operation.body, ["username", "email", "user_info"]);
  const createChangeHandler = (set: (text: string) => void) => (event: { target: { value: string } }) => {
    setIsSaved(false);
    set(event.target.value);
  };
  return (
    <form
      ref={form.ref}
      noValidate
      className="flex flex-col gap-4 py-4"
      onSubmit={async (event) => setIsSaved((await form.submit(event, { username: username.trim(), email: email.trim(), user_info: about })) !== undefined)}
    >
      <FormProblem problem={form.problem} />
      <div className="grid gap-4 tablet:grid-cols-2">
        <TextField
          label={t("name")}
          autoComplete="name"
          required
          maxLength={60}
          value={username}
          onChange={createChangeHandler(setUsername)}
          error={form.errorOf("username", t("name"))}
        />
        <TextField
          label={t("email")}
          type="email"
          autoComplete="email"
          required
          maxLength={254}
          value={email}
          onChange={createChangeHandler(setEmail)}
          error={form.errorOf("email", t("email"))}
        />
      </div>
      <TextArea
        label={t("about")}
        hint={t("aboutHint")}
        maxLength={500}
        value={about}
        onChange={createChangeHandler(setAbout)}
        error={form.errorOf("user_info", t("about"))}
      />
      <div className="flex items-center gap-3">
        <Button type="submit" variant="primary" pending={form.isPending}>
          {t("save")}
        </Button>
        <span role="status" className="text-ok">
          {isSaved ? t("saved") : ""}
        </span>
      </div>
    </form>
  );
}

const THEME_OPTIONS: [ThemePreference, "themeSystem" | "themeLight" | "themeDark"][] = [
  ["system", "themeSystem"],
  ["light", "themeLight"],
  ["dark", "themeDark"],
];

function ThemeField() {
  const { theme } = useClient();
  const preference = useStore(theme.preference);
  return (
    <fieldset className="py-3">
      <legend className="sr-only">{t("appearance")}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        {THEME_OPTIONS.map(([value, key]) => (
          <label key={value} className="flex min-h-8 items-center gap-2">
            <input type="radio" name="theme" value={value} checked={preference === value} onChange={() => theme.set(value)} />
            {t(key)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
