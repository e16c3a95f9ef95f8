/** Names that differ only in case or Unicode form are the same name, as the service says it. */
export const fileNameKey = (name: string): string => name.normalize("NFC").toLowerCase().normalize("NFC");
