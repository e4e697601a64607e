import re
s=open('src/locales/fr.po').read()
for b in s.split('\n\n'):
    refs=re.findall(r'^#: (.*)$',b,re.M); com=re.findall(r'^#\. (.*)$',b,re.M)
    m=re.search(r'^msgid ((?:".*"\n?)+)',b,re.M)
    if not m: continue
    t=''.join(re.findall(r'"(.*)"',m.group(1)))
    if not re.search(r'\{',t): continue
    if all(r.startswith('src/server') for r in refs): continue
    ph={a:b2 for a,b2 in (c.replace('placeholder ','').split(': ',1) for c in com if c.startswith('placeholder'))}
    print(t,'|',' '.join(f'{a}={v}' for a,v in ph.items()),'|',refs[0].replace('src/web/','').replace('features/',''))
