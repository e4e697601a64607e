import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { roundAmount } from '#contract/base/base-currency.ts';
import { baseCurrency, signedMoney } from '#contract/base/money.ts';
import { ACCENT, Drawing } from '#web/components/drawing.tsx';

const TICKET =
  'M0 8a8 8 0 0 1 8-8h84a8 8 0 0 1 8 8v14a8 8 0 0 0 0 16v14a8 8 0 0 1-8 8H8a8 8 0 0 1-8-8V38a8 8 0 0 0 0-16z';

function GuideDrawing({ children }: { children: ReactNode }) {
  return (
    <Drawing width={200} height={130} strokeWidth="2.5">
      {children}
    </Drawing>
  );
}

function Ticket({ at, stub }: { at: string; stub: string }) {
  return (
    <g transform={at}>
      <path d={TICKET} fill="var(--surface)" />
      <path d="M8 0h24v60H8a8 8 0 0 1-8-8V38a8 8 0 0 0 0-16V8a8 8 0 0 1 8-8z" fill={stub} />
      <path d="M32 6v48" strokeDasharray="2 6" />
      <path d="M44 18h36M44 30h26M44 42h14" />
    </g>
  );
}

/** Two tickets that are swapped. */
export function SwapGuideDrawing() {
  return (
    <GuideDrawing>
      <Ticket at="translate(8 10) rotate(-5 50 30)" stub="#1f6a46" />
      <Ticket at="translate(92 60) rotate(4 50 30)" stub="#35488f" />
      <path
        d="M128 24c20-4 34 4 38 22m0 0 6-11m-6 11-11-5M72 108c-20 4-34-4-38-22m0 0-6 11m6-11 11 5"
        stroke={ACCENT}
      />
    </GuideDrawing>
  );
}

/** Coins and a ticket. */
export function BidGuideDrawing() {
  return (
    <GuideDrawing>
      <Ticket at="translate(12 36)" stub="#8c2f39" />
      <path d="M122 66h22m0 0-8-8m8 8-8 8" stroke={ACCENT} />
      <g fill="var(--surface)">
        <ellipse cx="172" cy="92" rx="20" ry="8" />
        <ellipse cx="172" cy="78" rx="20" ry="8" />
        <ellipse cx="172" cy="64" rx="20" ry="8" />
        <ellipse cx="172" cy="50" rx="20" ry="8" stroke={ACCENT} />
      </g>
    </GuideDrawing>
  );
}

/** Three faces in a ring: each gives to the next. */
export function RingGuideDrawing() {
  return (
    <GuideDrawing>
      <circle cx="100" cy="70" r="44" strokeDasharray="2 6" />
      <path d="m136 38 4 12-13-1M97 120l-8-7 8-7M63 52l0-13 12 3" stroke={ACCENT} />
      <Face at="translate(100 26)" clothes="#1f6a46" />
      <Face at="translate(138 92)" clothes="#35488f" />
      <Face at="translate(62 92)" clothes="#8c2f39" />
    </GuideDrawing>
  );
}

function Face({ at, clothes }: { at: string; clothes: string }) {
  return (
    <g transform={at}>
      <circle r="20" fill="var(--surface)" />
      <path d="M-14 14a14 10 0 0 1 28 0 20 20 0 0 1-28 0z" fill={clothes} />
      <circle cy="-5" r="6" />
    </g>
  );
}

/** A ticket under a magnifying glass. */
export function CheckGuideDrawing() {
  return (
    <GuideDrawing>
      <Ticket at="translate(20 36)" stub="#7a5200" />
      <circle cx="124" cy="62" r="30" fill="var(--surface)" stroke={ACCENT} />
      <path d="m146 84 24 26" stroke={ACCENT} strokeWidth="5" />
      <path d="m111 62 9 10 18-20" />
    </GuideDrawing>
  );
}

/** A ticket with a lock on its code. */
export function SealedGuideDrawing() {
  return (
    <GuideDrawing>
      <Ticket at="translate(16 34)" stub="#5a3e93" />
      <path d="M134 60V46a20 20 0 0 1 40 0v14" stroke={ACCENT} />
      <rect x="126" y="60" width="56" height="44" rx="8" fill="var(--surface)" />
      <path d="M154 78v10" strokeWidth="5" />
    </GuideDrawing>
  );
}

/** Money next to a clock. */
export function HoldGuideDrawing() {
  return (
    <GuideDrawing>
      <circle cx="72" cy="64" r="46" fill="var(--surface)" />
      <path d="M72 34v30l20 14" stroke={ACCENT} />
      <path d="M72 18v6M72 104v6M26 64h6M112 64h6" />
      <g fill="var(--surface)">
        <ellipse cx="158" cy="100" rx="24" ry="9" />
        <ellipse cx="158" cy="84" rx="24" ry="9" />
        <ellipse cx="158" cy="68" rx="24" ry="9" stroke={ACCENT} />
      </g>
    </GuideDrawing>
  );
}

/** The hero: one large ticket. */
export function TicketHeroDrawing() {
  return (
    <Drawing width={460} height={230} stroke="none" strokeLinecap="butt" strokeLinejoin="miter">
      <g transform="rotate(-3 230 115)">
        <path
          d="M20 34a14 14 0 0 1 14-14h392a14 14 0 0 1 14 14v66a16 16 0 0 0 0 32v66a14 14 0 0 1-14 14H34a14 14 0 0 1-14-14v-66a16 16 0 0 0 0-32z"
          fill="var(--surface)"
          stroke="var(--line)"
          strokeWidth="2"
        />
        <path
          d="M34 20h116v192H34a14 14 0 0 1-14-14v-66a16 16 0 0 0 0-32V34a14 14 0 0 1 14-14z"
          fill="#136a6a"
        />
        <path
          d="M150 30v172"
          stroke="var(--line)"
          strokeWidth="3"
          strokeDasharray="2 9"
          strokeLinecap="round"
        />
        <g fill="#fff" fontWeight="800" textAnchor="middle">
          <text x="88" y="118" fontSize="44">
            {signedMoney(roundAmount(2_500), baseCurrency(), 0)}
          </text>
          <text x="88" y="148" fontSize="20">
            <Trans>off</Trans>
          </text>
        </g>
        <g fill="currentColor">
          <text x="178" y="78" fontSize="23" fontWeight="750">
            <Trans>Any two paperbacks</Trans>
          </text>
          <text x="178" y="108" fontSize="18">
            <Trans>Second Story Books</Trans>
          </text>
        </g>
        <rect x="178" y="134" width="196" height="44" rx="22" fill="var(--surface-sunken)" />
        <g fill="currentColor">
          {[226, 244, 262, 280, 298, 316, 334, 352].map((x) => (
            <circle key={x} cx={x} cy="156" r="5" />
          ))}
        </g>
        <path
          d="M194 154v-5a6 6 0 0 1 12 0v5m-14 0h16v12h-16z"
          fill="none"
          stroke={ACCENT}
          strokeWidth="2.5"
          strokeLinejoin="round"
        />
      </g>
    </Drawing>
  );
}
