import { t } from '@lingui/core/macro';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { TEXTS } from '#contract/base/texts.ts';
import type { ImageKind, StatedFacts } from '#contract/coupons/images.ts';
import type { ValidationSource } from '#contract/coupons/validation.ts';
import type { SeenCode } from '#web/coupons/core/code-reader.ts';
import { fieldErrors } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { forgetDraft, storedDraft } from '#web/lib/validation-draft.ts';
import type { Subject } from './add-values.ts';
import { useVerdict } from './use-verdict.ts';

/** What one of the picture tabs has gathered. */
export interface Scan {
  /** The uploaded picture's address. */
  readonly url: string | null;
  readonly codes: readonly SeenCode[];
  readonly chosen: string | null;
}

/** What the camera has seen. */
export function scanOf(codes: readonly SeenCode[]): Scan {
  // An earlier upload may show another code.
  return { url: null, codes, chosen: codes[0]?.text ?? null };
}

export const NO_SCAN: Scan = { url: null, codes: [], chosen: null };

/** The fields of the validator, their errors, and the verdict on what was last sent. */
export function useValidator() {
  const [draft] = useState(storedDraft);
  const [merchant, setMerchant] = useState(draft?.merchant ?? '');
  const [code, setCode] = useState(draft?.code ?? '');
  const [scans, setScans] = useState<Record<ImageKind, Scan>>({ qrcode: NO_SCAN, barcode: NO_SCAN });
  const [source, setSource] = useState<ValidationSource>('auto');
  const [errors, setErrors] = useState<{ merchant?: string; code?: string }>({});
  const { verdict, ask, isPending, error } = useVerdict<Subject>(
    TEXTS.validation.failedTitle(),
    TEXTS.validation.errorTitle(),
  );
  const merchantField = useRef<HTMLInputElement>(null);
  const codeField = useRef<HTMLInputElement>(null);

  /** Sends a code, if merchant and code are given. @param pictures the addresses of pictures of the code */
  const validate = (codeValue: string, pictures: Pick<Subject, 'qrCodeUrl' | 'barcodeUrl'> = {}) => {
    const subject = { merchant: merchant.trim(), code: codeValue.trim(), ...pictures };
    if (subject.merchant === '') {
      setErrors({ merchant: TEXTS.validation.merchantRequired() });
      toasts.failure(TEXTS.validation.errorTitle(), TEXTS.validation.merchantMissing());
      merchantField.current?.focus();
    } else if (subject.code === '') {
      setErrors({ code: TEXTS.validation.codeRequired() });
      toasts.failure(TEXTS.validation.errorTitle(), TEXTS.validation.codeRequired());
      codeField.current?.focus();
    } else {
      setErrors({});
      void ask({ merchant: subject.merchant, codeValue: subject.code, preferredSource: source }, subject);
    }
  };
  const validateScan = (kind: ImageKind, chosen: string, { url }: Scan) =>
    validate(chosen, url === null ? {} : kind === 'qrcode' ? { qrCodeUrl: url } : { barcodeUrl: url });
  const setScan = (kind: ImageKind, scan: Scan) => setScans((now) => ({ ...now, [kind]: scan }));
  /** Takes the merchant that a wallet pass names, unless one is typed. */
  const takeFacts = (facts: StatedFacts) => setMerchant((typed) => typed.trim() || (facts.merchant ?? ''));
  const askForMerchant = () => {
    toasts.neutral(
      TEXTS.validation.enterMerchant(),
      t`We read the code. Enter the merchant’s name, then press Validate.`,
    );
    merchantField.current?.focus();
  };
  /** Sends a code that was read at once, unless the merchant is missing or there are several codes to choose from. */
  const takeScan = (kind: ImageKind, scan: Scan) => {
    setScan(kind, scan);
    if (merchant.trim() === '') askForMerchant();
    else if (scan.chosen !== null && scan.codes.length === 1) {
      validateScan(kind, scan.chosen, scan);
    }
  };
  /** Takes a code that a hand scanner has typed, and sends it at once, unless the merchant is missing. */
  const takeTyped = (typed: string) => {
    setCode(typed);
    if (merchant.trim() === '') askForMerchant();
    else validate(typed);
  };

  const resumeDraft = useRef(() => {
    if (draft) validate(draft.code);
    forgetDraft();
  });
  useEffect(() => {
    resumeDraft.current();
    // Once: React may mount a screen twice.
    resumeDraft.current = () => {};
  }, []);
  useEffect(() => {
    const refused = fieldErrors(error);
    setErrors({ merchant: refused.merchant, code: refused.codeValue });
  }, [error]);

  const propsOf = (name: 'merchant' | 'code', value: string, onType: (text: string) => void) => ({
    value,
    error: errors[name],
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
      onType(currentTarget.value);
      setErrors((now) => ({ ...now, [name]: undefined }));
    },
  });
  return {
    merchantProps: { ref: merchantField, ...propsOf('merchant', merchant, setMerchant) },
    codeProps: { ref: codeField, ...propsOf('code', code, setCode) },
    source,
    setSource,
    scans,
    setScan,
    takeFacts,
    takeScan,
    takeTyped,
    /** Sends the code that was typed. */
    validateText: () => validate(code),
    validateScan,
    verdict,
    isPending,
  };
}
