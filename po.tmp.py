import re,sys
s=open('src/locales/fr.po').read()
out=[]
for b in s.split('\n\n'):
    refs=re.findall(r'^#: (.*)$',b,re.M); com=re.findall(r'^#\. (.*)$',b,re.M)
    m=re.search(r'^msgid ((?:".*"\n?)+)',b,re.M)
    if not m: continue
    t=''.join(re.findall(r'"(.*)"',m.group(1)))
    out.append((t,refs,com))
bad=[o for o in out if re.search(r'(^[ ,.;:a-z’\']|[ ,:(]$)',o[0])]
for t,r,c in bad: print(f'"{t}"',c,r)
print(len(out),len(bad))
