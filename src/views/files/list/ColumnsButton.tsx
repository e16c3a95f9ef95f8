import { Columns3 } from "lucide-react";
import { useRef, useState } from "react";
import { FocusScope } from "react-aria/FocusScope";
import { LIMITS } from "../../../../contract/limits.ts";
import { t } from "../../../lib/texts/files.ts";
import { CheckField } from "../../../ui/Field.tsx";
import { Floating } from "../../../ui/Floating.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { PHONE, useMediaQuery } from "../../../ui/responsive.ts";
import { useFilesContext } from "../files-context.ts";

/** Chooses which metadata fields have a column. Rendered only where there are any, and not on phones, whose lists have no columns. */
export function ColumnsButton() {
  const { fieldColumns } = useFilesContext();
  const { fields, ids, setShown } = fieldColumns;
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const isPhone = useMediaQuery(PHONE);
  if (fields.length === 0 || isPhone) return null;
  return (
    <>
      <IconButton ref={button} icon={Columns3} label={t("columns")} aria-haspopup="dialog" aria-expanded={isOpen} onClick={() => setIsOpen(true)} />
      {isOpen && (
        <Floating label={t("columns")} anchor={button} align="end" onClose={() => setIsOpen(false)} className="w-64 p-4">
          <FocusScope autoFocus>
            <fieldset className="flex flex-col gap-2.5">
              <legend className="mb-2.5 text-sm font-medium">{t("metadataColumns")}</legend>
              {fields.map((field) => {
                const isShown = ids.includes(field.id);
                return (
                  <CheckField
                    key={field.id}
                    label={<bdi>{field.name}</bdi>}
                    checked={isShown}
                    disabled={!isShown && ids.length >= LIMITS.metadata_columns}
                    onChange={(isChecked) => setShown(field, isChecked)}
                  />
                );
              })}
            </fieldset>
          </FocusScope>
        </Floating>
      )}
    </>
  );
}
