const form = /^SKB[2-9A-Z]{20}$/

/** Whether a scan is of a badge, for the service and for the handheld: such a scan never is a barcode of goods. */
export function isBadgeCode(text: string): boolean {
  return form.test(text)
}
