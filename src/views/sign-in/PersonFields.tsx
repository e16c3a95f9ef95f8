import { NewPasswordField } from "../../components/NewPasswordField.tsx";
import { t } from "../../lib/texts/sign-in.ts";
import { TextField } from "../../ui/Field.tsx";

export interface PersonDraft {
  username: string;
  email: string;
  password: string;
}

interface Props {
  value: PersonDraft;
  onChange(person: PersonDraft): void;
  errorOf(path: string, label: string): string | undefined;
  autoFocus?: boolean;
}

/** Renders the name, email and password fields of a new account. */
export function PersonFields({ value, onChange, errorOf, autoFocus }: Props) {
  return (
    <>
      <TextField
        label={t("username")}
        hint={t("usernameHint")}
        name="name"
        autoComplete="name"
        required
        maxLength={60}
        autoFocus={autoFocus}
        value={value.username}
        onChange={(event) => onChange({ ...value, username: event.target.value })}
        error={errorOf("username", t("username"))}
      />
      <TextField
        label={t("email")}
        hint={t("emailHint")}
        name="email"
        type="email"
        autoComplete="email"
        required
        maxLength={254}
        value={value.email}
        onChange={(event) => onChange({ ...value, email: event.target.value })}
        error={errorOf("email", t("email"))}
      />
      <NewPasswordField
        label={t("password")}
        value={value.password}
        onChange={(password) => onChange({ ...value, password })}
        error={errorOf("password", t("password"))}
      />
    </>
  );
}
