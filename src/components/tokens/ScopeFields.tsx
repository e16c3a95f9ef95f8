import type { Scope } from "../../../contract/define-operation.ts";
import { CheckField, FieldGroup } from "../../ui/Field.tsx";
import type { ScopeDescription } from "../scope-labels.ts";

export interface ScopeFieldsProps<S extends Scope> {
  label: string;
  error: string | undefined;
  options: readonly S[];
  scopes: readonly S[];
  /** Says what a scope allows together with the others. */
  describe(scope: S, scopes: readonly S[]): Pick<ScopeDescription, "label" | "limit" | "roleLimit">;
  onChange(scopes: readonly S[]): void;
}

/** A checkbox for each scope, with what it allows in words. */
export function ScopeFields<S extends Scope>({ label, error, options, scopes, describe, onChange }: ScopeFieldsProps<S>) {
  return (
    <FieldGroup label={label} error={error}>
      <div className="flex flex-col gap-1">
        {options.map((scope) => {
          const isChecked = scopes.includes(scope);
          const { label: text, limit, roleLimit } = describe(scope, scopes);
          return (
            <CheckField
              key={scope}
              label={text}
              hint={
                <>
                  <code className="font-mono text-xs">{scope}</code>
                  {(roleLimit || (isChecked && limit)) && <span className="block">{[isChecked && limit, roleLimit].filter(Boolean).join(" ")}</span>}
                </>
              }
              checked={isChecked}
              onChange={(isNowChecked) => onChange(isNowChecked ? [...scopes, scope] : scopes.filter((selected) => selected !== scope))}
            />
          );
        })}
      </div>
    </FieldGroup>
  );
}
