import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Container, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { marketName } from '#contract/base/market.ts';
import classes from './footer.module.css';
import { LanguageLinks } from './language-links.tsx';
import { linksTo } from './navigation.ts';

const LINKS = linksTo('howItWorks', 'risks', 'openBooks', 'terms', 'privacyPolicy', 'acceptableUsePolicy');

/** The foot of every page: what an exchange costs, and the legal pages. */
export function Footer() {
  return (
    <footer className={classes.footer}>
      <Container size="xl" className={classes.inner}>
        <Text inherit>
          <Trans>Exchanges are free on {ph({ market: marketName() })}.</Trans>
        </Text>
        <nav aria-label={t`About ${{ market: marketName() }}`} className={classes.links}>
          {LINKS.map(({ to, label }) => (
            <Link key={to} to={to} className={classes.link}>
              {label}
            </Link>
          ))}
          <LanguageLinks className={classes.link} />
        </nav>
        <Text inherit>
          © {new Date().getFullYear()} {marketName()}
        </Text>
      </Container>
    </footer>
  );
}
