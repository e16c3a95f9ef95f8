/** Returns a key that is equal for names that differ only in case or Unicode form, by the service's rule. */
export const fileNameKey = (name: string): string => name.normalize("NFC").toLowerCase().normalize("NFC");
