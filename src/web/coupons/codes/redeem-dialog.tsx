import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Loader, Tabs, Text } from '@mantine/core';
import { IconArrowsMaximize, IconArrowsMinimize, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { TEXTS } from '#contract/base/texts.ts';
import type { Coupon, RevealedCode } from '#contract/coupons/coupons.ts';
import type { ImageKind } from '#contract/coupons/images.ts';
import type { OfflineCode } from '#contract/coupons/offline-codes.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { NewCodeBadge } from '#web/coupons/codes/new-code.tsx';
import { writeErrorText } from '#web/lib/errors.ts';
import { useWakeLock } from '#web/lib/use-wake-lock.ts';
import { CodePicture, CodeText, PinText, RevealList } from './code-views.tsx';
import classes from './redeem-dialog.module.css';
import { type Till, TillBar, useSwipe } from './till-bar.tsx';

export type RedeemableCoupon = Pick<
  Coupon,
  | 'id'
  | 'title'
  | 'merchant'
  | 'qrCodeUrl'
  | 'barcodeUrl'
  | 'drawnQrCodeUrl'
  | 'drawnBarcodeUrl'
  | 'codePreview'
  | 'isReserved'
  | 'usedAt'
  | 'updatedAt'
  | 'ownerId'
  | 'reissuedAt'
>;

interface RedeemDialogProps {
  readonly coupon: RedeemableCoupon;
  /** The other coupons of its merchant; null without any. */
  readonly till: Till | null;
  /** Undefined until the server has answered. */
  readonly revealed: RevealedCode | undefined;
  readonly error: unknown;
  readonly onRetry: () => void;
  /** Whether the merchant is making a new code. */
  readonly isOnItsWay?: boolean;
  /** What this device keeps of the code, where the server could not be reached. */
  readonly offline: OfflineCode | null;
  /** What is asked below the code once it is there. */
  readonly question?: ReactNode;
}

/** All forms of an own coupon's code (spec/1 section 2), to be shown at the till. */
export function RedeemDialog(props: RedeemDialogProps) {
  const { coupon, till, revealed, error, onRetry, isOnItsWay, offline, question } = props;
  const [isLarge, setIsLarge] = useState(false);
  useWakeLock();
  const swipe = useSwipe(till);
  return (
    <Dialog title={t`Your coupon code`} isFullScreen={isLarge}>
      <div
        className={classes.dialog}
        data-large={isLarge || undefined}
        data-several={till !== null || undefined}
        {...swipe}
      >
        {!isLarge && (
          <Text c="dimmed">
            {coupon.title}, {coupon.merchant}
          </Text>
        )}
        {offline && (
          <Text c="dimmed" size="sm" role="status">
            <Trans>
              You are offline. This code is kept on this device. When you are back online, we record that you
              looked at it now.
            </Trans>
          </Text>
        )}
        {isOnItsWay && !offline ? (
          <Alert
            color="blue"
            title={t`Your new code is on its way`}
            role="status"
            icon={<Loader size={18} />}
          >
            <Trans>
              {coupon.merchant} is making a code that nobody but you has seen, and retires the old one. It
              appears here by itself.
            </Trans>
          </Alert>
        ) : error && !offline ? (
          <Alert color="red" title={t`We could not show the code`} role="alert">
            <Text mb="sm">{writeErrorText(error, t`Please try again.`)}</Text>
            <Button variant="default" leftSection={<IconRefresh size={18} />} onClick={onRetry}>
              <Trans>Retry</Trans>
            </Button>
          </Alert>
        ) : (
          <>
            {!isLarge && <Text>{TEXTS.redeem.text()}</Text>}
            {!isLarge && revealed && (
              <div>
                <NewCodeBadge coupon={coupon} />
              </div>
            )}
            <CodeTabs
              key={`${coupon.id} ${offline ? 'offline' : 'asked'}`}
              coupon={offline ? withOfflineCode(coupon, offline) : coupon}
              revealed={offline ? { codeValue: offline.code, pin: offline.pin } : revealed}
            />
            <Button
              variant="default"
              style={{ alignSelf: 'center' }}
              leftSection={
                isLarge ? (
                  <IconArrowsMinimize size={18} aria-hidden="true" />
                ) : (
                  <IconArrowsMaximize size={18} aria-hidden="true" />
                )
              }
              onClick={() => setIsLarge(!isLarge)}
            >
              {isLarge ? t`Back to normal size` : t`Enlarge for the checkout`}
            </Button>
            {!isLarge && revealed && question}
            {!isLarge && !offline && <RevealList reveals={revealed?.reveals} />}
          </>
        )}
        {till && <TillBar till={till} />}
      </div>
    </Dialog>
  );
}

/** The coupon with what this device keeps of its code, in the forms that the server gives it. */
function withOfflineCode(coupon: RedeemableCoupon, { code, qrCode, barcode }: OfflineCode): RedeemableCoupon {
  const { drawnQrCodeUrl, drawnBarcodeUrl } = coupon;
  return {
    ...coupon,
    qrCodeUrl: drawnQrCodeUrl ? null : qrCode,
    barcodeUrl: drawnBarcodeUrl ? null : barcode,
    drawnQrCodeUrl: drawnQrCodeUrl && qrCode,
    drawnBarcodeUrl: drawnBarcodeUrl && barcode,
    codePreview: code,
  };
}

interface CodeTabsProps {
  readonly coupon: RedeemableCoupon;
  readonly revealed: Pick<RevealedCode, 'codeValue' | 'pin'> | undefined;
}

/**
 * One tab for each stored form of the code. All tabs render at once, so that nothing has to load at the till. The pictures
 * load only after the code has come: they are part of the same recorded reveal.
 */
function CodeTabs({ coupon, revealed }: CodeTabsProps) {
  const { qrCodeUrl, barcodeUrl, codePreview, updatedAt } = coupon;
  // An edit may change the picture at the same address, and browsers cache pictures while a page stays open.
  const isHere = (url: string) => url.startsWith('data:');
  const pictureAt = (url: string) =>
    revealed && (isHere(url) ? url : `${url}?of=${encodeURIComponent(updatedAt)}`);
  const first = qrCodeUrl ? 'qrcode' : barcodeUrl ? 'barcode' : 'code';
  return (
    <Tabs defaultValue={first}>
      <Tabs.List grow aria-label={t`Ways to redeem`} mb="md">
        {qrCodeUrl && (
          <Tabs.Tab value="qrcode">
            <Trans>QR Code</Trans>
          </Tabs.Tab>
        )}
        {barcodeUrl && (
          <Tabs.Tab value="barcode">
            <Trans>Barcode</Trans>
          </Tabs.Tab>
        )}
        {codePreview !== null && (
          <Tabs.Tab value="code">
            <Trans>Code</Trans>
          </Tabs.Tab>
        )}
      </Tabs.List>
      {qrCodeUrl && (
        <Tabs.Panel value="qrcode">
          <CodePicture
            kind="qrcode"
            src={pictureAt(qrCodeUrl)}
            alt={t`QR code of ${coupon.title}`}
            missing={TEXTS.redeem.qrMissing()}
            hint={TEXTS.redeem.qrHint()}
          />
        </Tabs.Panel>
      )}
      {barcodeUrl && (
        <Tabs.Panel value="barcode">
          <CodePicture
            kind="barcode"
            src={pictureAt(barcodeUrl)}
            alt={t`Barcode of ${coupon.title}`}
            missing={TEXTS.redeem.barcodeMissing()}
            hint={TEXTS.redeem.barcodeHint()}
          />
        </Tabs.Panel>
      )}
      {codePreview !== null && (
        <Tabs.Panel value="code">
          <CodeText code={revealed?.codeValue ?? null} />
          <Drawings coupon={coupon} pictureAt={pictureAt} />
        </Tabs.Panel>
      )}
      {revealed?.pin && <PinText pin={revealed.pin} />}
    </Tabs>
  );
}

interface DrawingsProps {
  readonly coupon: RedeemableCoupon;
  readonly pictureAt: (url: string) => string | undefined;
}

/** Draws the code as a picture on a press: a way out where nobody can type it, not what the shop has issued. */
function Drawings({ coupon, pictureAt }: DrawingsProps) {
  const [drawn, setDrawn] = useState<ImageKind | null>(null);
  const { qrMissing, barcodeMissing, drawn: label } = TEXTS.redeem;
  const ways = [
    { kind: 'qrcode', name: t`QR code`, url: coupon.drawnQrCodeUrl, missing: qrMissing },
    { kind: 'barcode', name: t`barcode`, url: coupon.drawnBarcodeUrl, missing: barcodeMissing },
  ] as const;
  return (
    <>
      <Group justify="center" gap="xs" mt="md">
        {ways.map(
          ({ kind, name, url }) =>
            url !== null && (
              <Button
                key={kind}
                variant="subtle"
                color="gray"
                aria-pressed={drawn === kind}
                onClick={() => setDrawn(drawn === kind ? null : kind)}
              >
                {t`Show as ${name}`}
              </Button>
            ),
        )}
      </Group>
      {ways.map(
        ({ kind, name, url, missing }) =>
          url !== null &&
          drawn === kind && (
            <CodePicture
              key={kind}
              kind={kind}
              src={pictureAt(url)}
              alt={t`Code of ${coupon.title}, shown as ${name}`}
              missing={missing()}
              hint={label()}
            />
          ),
      )}
    </>
  );
}
