import { LIMITS } from "../../contract/limits.ts";
import { classNames } from "../lib/class-names.ts";
import { t } from "../lib/texts/people.ts";
import { type FieldProps, PasswordField } from "../ui/Field.tsx";

type Strength = "empty" | "short" | "fair" | "good" | "strong";

const MINIMUM = LIMITS.password_min_characters;
const STEPS: Record<Strength, number> = { empty: 0, short: 1, fair: 2, good: 3, strong: 4 };
const COLORS: Record<Strength, string> = { empty: "", short: "bg-danger", fair: "bg-accent", good: "bg-ok", strong: "bg-ok" };

function strengthHint(password: string): string {
  const strength = estimateStrength(password, MINIMUM);
  if (strength === "short") return t("passwordShort", { count: MINIMUM - [...password].length });
  return t(({ empty: "passwordEmpty", fair: "passwordFair", good: "passwordGood", strong: "passwordStrong" } as const)[strength]);
}

/** A field for a new password, with a hint on its strength. */
export function NewPasswordField(field: FieldProps<string>) {
  const strength = estimateStrength(field.value, MINIMUM);
  return (
    <div>
      <PasswordField {...field} name="new-password" autoComplete="new-password" required hint={strengthHint(field.value)} />
      <div aria-hidden className="mt-2 flex gap-1">
        {[1, 2, 3, 4].map((step) => (
          <span key={step} className={classNames("h-1 flex-1 rounded-full transition-colors", step <= STEPS[strength] ? COLORS[strength] : "bg-line")} />
        ))}
      </div>
    </div>
  );
}

/** Estimates a password's strength as a hint while typing; the service alone decides what it rejects. */
export function estimateStrength(password: string, minimum: number): Strength {
  const length = [...password].length;
  if (length === 0) return "empty";
  if (length < minimum) return "short";
  const distinct = new Set(password.toLowerCase()).size;
  // Long passwords with few distinct characters ("aaaaaaaaaaaa", "121212121212") are guessed early.
  if (distinct < 6) return "fair";
  if (length >= minimum + 6 && distinct >= 10) return "strong";
  return length >= minimum + 2 && distinct >= 8 ? "good" : "fair";
}
