PRAGMA application_id=1329812566;
PRAGMA user_version=4;
BEGIN TRANSACTION;
CREATE TABLE acts (
                pk INTEGER PRIMARY KEY AUTOINCREMENT,
                kind TEXT NOT NULL,
                said_at TEXT NOT NULL,
                undone_at TEXT);
CREATE TABLE aliases (id TEXT PRIMARY KEY, paper TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE announced (
                source TEXT NOT NULL,
                want TEXT NOT NULL,
                day TEXT NOT NULL,
                key TEXT NOT NULL,
                kind TEXT NOT NULL,
                categories TEXT NOT NULL,
                version INTEGER,
                told_by TEXT NOT NULL,
                PRIMARY KEY (source, want, day, key)) WITHOUT ROWID;
CREATE TABLE batches (
                pk INTEGER PRIMARY KEY,
                run INTEGER NOT NULL REFERENCES runs (pk) ON DELETE CASCADE,
                source TEXT NOT NULL,
                want TEXT NOT NULL,
                day TEXT NOT NULL,
                state TEXT NOT NULL,
                counts TEXT NOT NULL,
                notes TEXT NOT NULL,
                ended_at TEXT NOT NULL);
CREATE TABLE cursors (
                source TEXT NOT NULL,
                want TEXT NOT NULL,
                cursor TEXT NOT NULL,
                updated_at TEXT NOT NULL,
                PRIMARY KEY (source, want)) WITHOUT ROWID;
CREATE TABLE doubts (
                one_source TEXT NOT NULL,
                one_key TEXT NOT NULL,
                other_source TEXT NOT NULL,
                other_key TEXT NOT NULL,
                reason TEXT NOT NULL,
                score REAL NOT NULL,
                PRIMARY KEY (one_source, one_key, other_source, other_key)) WITHOUT ROWID;
INSERT INTO "doubts" VALUES('mlanthology','qin2023one','mlanthology','roe2023two','doi:10.5555/volume stands in both, and they differ',-9.73);
CREATE TABLE faults (
                run INTEGER NOT NULL REFERENCES runs (pk) ON DELETE CASCADE,
                place TEXT NOT NULL,
                reason TEXT NOT NULL,
                entry TEXT NOT NULL);
INSERT INTO "faults" VALUES(1,'world.jsonl, line 9','no title','');
CREATE TABLE gone_papers (
                id TEXT PRIMARY KEY,
                title TEXT NOT NULL,
                authors TEXT NOT NULL,
                year INTEGER,
                identifiers TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE identifiers (
                identifier TEXT NOT NULL,
                record INTEGER NOT NULL REFERENCES records (pk) ON DELETE CASCADE,
                PRIMARY KEY (identifier, record)) WITHOUT ROWID;
INSERT INTO "identifiers" VALUES('doi:10.5555/tiles.1',1);
INSERT INTO "identifiers" VALUES('openreview:AbC12xYz90',1);
INSERT INTO "identifiers" VALUES('arxiv:2101.00010',2);
INSERT INTO "identifiers" VALUES('doi:10.5555/tiles.1',2);
INSERT INTO "identifiers" VALUES('openreview:AbC12xYz90',3);
INSERT INTO "identifiers" VALUES('pmlr:v900/bee31a',3);
INSERT INTO "identifiers" VALUES('openreview:FlashTP001',4);
INSERT INTO "identifiers" VALUES('doi:10.5555/wear.7',5);
INSERT INTO "identifiers" VALUES('doi:10.5555/plant.1',6);
INSERT INTO "identifiers" VALUES('doi:10.5555/plant.2',7);
INSERT INTO "identifiers" VALUES('doi:10.5555/plant.3',8);
INSERT INTO "identifiers" VALUES('doi:10.5555/code.1',9);
INSERT INTO "identifiers" VALUES('doi:10.5555/code.2',10);
INSERT INTO "identifiers" VALUES('doi:10.5555/tiles.20',11);
INSERT INTO "identifiers" VALUES('doi:10.5555/tiles.21',12);
INSERT INTO "identifiers" VALUES('doi:10.5555/quant.1',13);
INSERT INTO "identifiers" VALUES('doi:10.5555/tree.1',14);
INSERT INTO "identifiers" VALUES('doi:10.5555/volume',15);
INSERT INTO "identifiers" VALUES('doi:10.5555/volume',16);
INSERT INTO "identifiers" VALUES('doi:10.5555/preface.1',17);
INSERT INTO "identifiers" VALUES('doi:10.5555/preface.2',18);
INSERT INTO "identifiers" VALUES('arxiv:math/0309136',19);
INSERT INTO "identifiers" VALUES('arxiv:2101.00011',20);
INSERT INTO "identifiers" VALUES('arxiv:2101.00012',21);
CREATE TABLE library_acts (
                pk INTEGER PRIMARY KEY AUTOINCREMENT,
                kind TEXT NOT NULL,
                ruled INTEGER NOT NULL,
                said_at TEXT NOT NULL,
                undone_at TEXT);
INSERT INTO "library_acts" VALUES(1,'save',0,'2026-11-30T23:24:23.996951+00:00',NULL);
CREATE TABLE library_changes (
                act INTEGER NOT NULL REFERENCES library_acts (pk) ON DELETE CASCADE,
                is_added INTEGER NOT NULL,
                kind TEXT NOT NULL,
                given TEXT NOT NULL,
                value TEXT NOT NULL,
                at TEXT NOT NULL);
INSERT INTO "library_changes" VALUES(1,1,'saved','pd6frrjjtg562','','2026-11-30T23:24:23.997022+00:00');
INSERT INTO "library_changes" VALUES(1,1,'tag','pd6frrjjtg562','tiles','2026-11-30T23:24:23.997215+00:00');
INSERT INTO "library_changes" VALUES(1,1,'note','p4rjydzi5a4dx','Read again.','2026-11-30T23:24:23.997311+00:00');
CREATE TABLE link_keys (
                key INTEGER NOT NULL,
                record INTEGER NOT NULL,
                PRIMARY KEY (key, record)) WITHOUT ROWID;
INSERT INTO "link_keys" VALUES(33644253183,14);
INSERT INTO "link_keys" VALUES(162173818425,16);
INSERT INTO "link_keys" VALUES(219823060063,16);
INSERT INTO "link_keys" VALUES(279955650378,19);
INSERT INTO "link_keys" VALUES(509119570951,4);
INSERT INTO "link_keys" VALUES(551669349166,5);
INSERT INTO "link_keys" VALUES(592359285300,1);
INSERT INTO "link_keys" VALUES(592359285300,3);
INSERT INTO "link_keys" VALUES(691634151095,10);
INSERT INTO "link_keys" VALUES(710918083753,4);
INSERT INTO "link_keys" VALUES(729149709456,21);
INSERT INTO "link_keys" VALUES(760406403178,14);
INSERT INTO "link_keys" VALUES(763645991401,5);
INSERT INTO "link_keys" VALUES(824155119572,5);
INSERT INTO "link_keys" VALUES(857260918473,4);
INSERT INTO "link_keys" VALUES(875536852381,4);
INSERT INTO "link_keys" VALUES(938103095578,16);
INSERT INTO "link_keys" VALUES(987826221845,19);
INSERT INTO "link_keys" VALUES(1024106372809,4);
INSERT INTO "link_keys" VALUES(1042382306717,4);
INSERT INTO "link_keys" VALUES(1156023450557,5);
INSERT INTO "link_keys" VALUES(1194738663154,8);
INSERT INTO "link_keys" VALUES(1250611053211,2);
INSERT INTO "link_keys" VALUES(1305428062603,20);
INSERT INTO "link_keys" VALUES(1415806691696,4);
INSERT INTO "link_keys" VALUES(1430573853560,1);
INSERT INTO "link_keys" VALUES(1430573853560,3);
INSERT INTO "link_keys" VALUES(1471196735221,9);
INSERT INTO "link_keys" VALUES(1731293315950,13);
INSERT INTO "link_keys" VALUES(1733618423404,1);
INSERT INTO "link_keys" VALUES(1733618423404,2);
INSERT INTO "link_keys" VALUES(1778305047199,15);
INSERT INTO "link_keys" VALUES(1790495993452,1);
INSERT INTO "link_keys" VALUES(1790495993452,2);
INSERT INTO "link_keys" VALUES(1836314495985,10);
INSERT INTO "link_keys" VALUES(1896743332081,9);
INSERT INTO "link_keys" VALUES(1922441816395,5);
INSERT INTO "link_keys" VALUES(2166155132435,5);
INSERT INTO "link_keys" VALUES(2233040107348,11);
INSERT INTO "link_keys" VALUES(2251519860902,7);
INSERT INTO "link_keys" VALUES(2434256318029,5);
INSERT INTO "link_keys" VALUES(2619727990645,5);
INSERT INTO "link_keys" VALUES(2897880067987,10);
INSERT INTO "link_keys" VALUES(3095431314627,4);
INSERT INTO "link_keys" VALUES(3279967567437,19);
INSERT INTO "link_keys" VALUES(3376583109276,6);
INSERT INTO "link_keys" VALUES(3448797560657,10);
INSERT INTO "link_keys" VALUES(3451572037070,12);
INSERT INTO "link_keys" VALUES(3522367779072,12);
INSERT INTO "link_keys" VALUES(3546249901392,21);
INSERT INTO "link_keys" VALUES(3570215575491,1);
INSERT INTO "link_keys" VALUES(3606919279028,6);
INSERT INTO "link_keys" VALUES(3627093145539,1);
INSERT INTO "link_keys" VALUES(3677587674972,21);
INSERT INTO "link_keys" VALUES(3690339143681,7);
INSERT INTO "link_keys" VALUES(3879096119046,15);
INSERT INTO "link_keys" VALUES(3928722715333,1);
INSERT INTO "link_keys" VALUES(3928722715333,2);
INSERT INTO "link_keys" VALUES(3928722715333,3);
INSERT INTO "link_keys" VALUES(4025802508508,15);
INSERT INTO "link_keys" VALUES(4025802508508,16);
INSERT INTO "link_keys" VALUES(4117759368150,14);
INSERT INTO "link_keys" VALUES(4241733459179,8);
INSERT INTO "link_keys" VALUES(4261425751000,19);
INSERT INTO "link_keys" VALUES(4305823849068,21);
INSERT INTO "link_keys" VALUES(4375648096328,12);
INSERT INTO "link_keys" VALUES(4434003622074,20);
INSERT INTO "link_keys" VALUES(4443413942293,4);
INSERT INTO "link_keys" VALUES(4456876713117,2);
INSERT INTO "link_keys" VALUES(4513754283165,2);
INSERT INTO "link_keys" VALUES(4531669354760,1);
INSERT INTO "link_keys" VALUES(4531669354760,3);
INSERT INTO "link_keys" VALUES(4595393126151,5);
INSERT INTO "link_keys" VALUES(4610259396629,4);
INSERT INTO "link_keys" VALUES(4686790340564,5);
INSERT INTO "link_keys" VALUES(4699936971082,17);
INSERT INTO "link_keys" VALUES(4818880528326,13);
INSERT INTO "link_keys" VALUES(4865705785882,10);
INSERT INTO "link_keys" VALUES(4908758583667,8);
INSERT INTO "link_keys" VALUES(4962035621352,21);
INSERT INTO "link_keys" VALUES(5018658671549,5);
INSERT INTO "link_keys" VALUES(5146630893337,12);
INSERT INTO "link_keys" VALUES(5294558462023,1);
INSERT INTO "link_keys" VALUES(5351436032071,1);
INSERT INTO "link_keys" VALUES(5471463530298,8);
INSERT INTO "link_keys" VALUES(5485127150382,5);
INSERT INTO "link_keys" VALUES(5588850203914,19);
INSERT INTO "link_keys" VALUES(5675606897457,1);
INSERT INTO "link_keys" VALUES(5675606897457,2);
INSERT INTO "link_keys" VALUES(5675606897457,3);
INSERT INTO "link_keys" VALUES(5721564759339,13);
INSERT INTO "link_keys" VALUES(5904432584385,2);
INSERT INTO "link_keys" VALUES(5961310154433,2);
INSERT INTO "link_keys" VALUES(6018255021846,7);
INSERT INTO "link_keys" VALUES(6077773685385,9);
INSERT INTO "link_keys" VALUES(6165921649136,18);
INSERT INTO "link_keys" VALUES(6169711850554,15);
INSERT INTO "link_keys" VALUES(6246416634734,1);
INSERT INTO "link_keys" VALUES(6246416634734,2);
INSERT INTO "link_keys" VALUES(6308124356692,6);
INSERT INTO "link_keys" VALUES(6311880427101,15);
INSERT INTO "link_keys" VALUES(6329476113212,1);
INSERT INTO "link_keys" VALUES(6386353683260,1);
INSERT INTO "link_keys" VALUES(6478092746091,8);
INSERT INTO "link_keys" VALUES(6716783590008,4);
INSERT INTO "link_keys" VALUES(6774521495320,3);
INSERT INTO "link_keys" VALUES(6855899617611,5);
INSERT INTO "link_keys" VALUES(6923684042002,9);
INSERT INTO "link_keys" VALUES(6978680629635,7);
INSERT INTO "link_keys" VALUES(7097271670652,4);
INSERT INTO "link_keys" VALUES(7101508377693,20);
INSERT INTO "link_keys" VALUES(7137084486687,11);
INSERT INTO "link_keys" VALUES(7239359137150,12);
INSERT INTO "link_keys" VALUES(7259247848125,11);
INSERT INTO "link_keys" VALUES(7264117124988,4);
INSERT INTO "link_keys" VALUES(7322368197849,2);
INSERT INTO "link_keys" VALUES(7379245767897,2);
INSERT INTO "link_keys" VALUES(7457688601878,21);
INSERT INTO "link_keys" VALUES(7500275082615,9);
INSERT INTO "link_keys" VALUES(7586997569171,6);
INSERT INTO "link_keys" VALUES(7592142319151,11);
INSERT INTO "link_keys" VALUES(7620646406626,2);
INSERT INTO "link_keys" VALUES(7641065469230,14);
INSERT INTO "link_keys" VALUES(7708307033442,20);
INSERT INTO "link_keys" VALUES(7743540195676,7);
INSERT INTO "link_keys" VALUES(7892460380281,1);
INSERT INTO "link_keys" VALUES(7892460380281,3);
INSERT INTO "link_keys" VALUES(7943042821436,2);
INSERT INTO "link_keys" VALUES(8062557545590,6);
INSERT INTO "link_keys" VALUES(8234981025111,2);
INSERT INTO "link_keys" VALUES(8263402983366,9);
INSERT INTO "link_keys" VALUES(8293473641648,16);
INSERT INTO "link_keys" VALUES(8551445726319,5);
INSERT INTO "link_keys" VALUES(8580885997251,20);
INSERT INTO "link_keys" VALUES(8681267224879,4);
INSERT INTO "link_keys" VALUES(8749618605972,14);
CREATE TABLE look_ups (
                source TEXT NOT NULL,
                asked TEXT NOT NULL,
                given TEXT NOT NULL,
                looked_at TEXT NOT NULL,
                PRIMARY KEY (source, asked)) WITHOUT ROWID;
CREATE TABLE marks (
                paper TEXT NOT NULL,
                kind TEXT NOT NULL,
                at TEXT NOT NULL,
                given TEXT);
INSERT INTO "marks" VALUES('pd6frrjjtg562','saved','2026-11-30T23:24:23.997022+00:00',NULL);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO "meta" VALUES('catalogue','e03e523c621a3a91900244affe0a4651');
INSERT INTO "meta" VALUES('forms','f557ebd953c77b1f677fdc2e61071b6b87a525a6ec8161b63bfca7d682f8649d');
INSERT INTO "meta" VALUES('merge_rules','2');
INSERT INTO "meta" VALUES('seq','1');
CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'records, papers and what waits','2026-11-30T23:24:23+00:00');
INSERT INTO "migrations" VALUES(2,'what is asked of the network, announcement days, and what was deleted','2026-11-30T23:24:23+00:00');
INSERT INTO "migrations" VALUES(3,'links between records of one work','2026-11-30T23:24:23+00:00');
INSERT INTO "migrations" VALUES(4,'the reader''s library','2026-11-30T23:24:23+00:00');
CREATE TABLE notes (
                paper TEXT NOT NULL,
                text TEXT NOT NULL,
                at TEXT NOT NULL,
                given TEXT);
INSERT INTO "notes" VALUES('p4rjydzi5a4dx','Read again.','2026-11-30T23:24:23.997311+00:00',NULL);
CREATE TABLE papers (
                pk INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL UNIQUE,
                seq INTEGER NOT NULL,
                title TEXT NOT NULL,
                title_key TEXT NOT NULL,
                authors TEXT NOT NULL,
                authors_incomplete INTEGER NOT NULL,
                abstract TEXT NOT NULL,
                summary TEXT NOT NULL,
                tldr TEXT NOT NULL,
                venue TEXT NOT NULL,
                venue_name TEXT NOT NULL,
                year INTEGER,
                date TEXT,
                status TEXT NOT NULL,
                award TEXT NOT NULL,
                identifiers TEXT NOT NULL,
                version INTEGER,
                categories TEXT NOT NULL,
                keywords TEXT NOT NULL,
                topics TEXT NOT NULL,
                links TEXT NOT NULL,
                comment TEXT NOT NULL,
                journal_ref TEXT NOT NULL,
                sources TEXT NOT NULL,
                origins TEXT NOT NULL, citations INTEGER, cites TEXT NOT NULL DEFAULT '[]');
INSERT INTO "papers" VALUES(1,'pd6frrjjtg562',1,'FlashTP: Tensor Products without Regret','flashtptensorproductswithoutregret','["Ee Eff","Wei Wang"]',0,'Equivariant networks spend their time in tensor products. FlashTP fuses the kernels and skips what is zero.','','','TILE 2030','Proceedings of TILE',2030,NULL,'','','["openreview:FlashTP001"]',NULL,'[]','[]','[]','{}','','','["mlanthology"]','{"title":"mlanthology:eff2030flashtp","authors":"mlanthology:eff2030flashtp","venue":"mlanthology:eff2030flashtp","abstract":"mlanthology:eff2030flashtp"}',NULL,'[]');
INSERT INTO "papers" VALUES(2,'p4rjydzi5a4dx',1,'Flash Memory Wear in Embedded Recorders','flashmemorywearinembeddedrecorders','["Gil Gee","Wei Wang"]',0,'Memory cells wear out. We predict their remaining life from the voltage that a write needs.','','','WEAR 2029','Proceedings of WEAR',2029,NULL,'','','["doi:10.5555/wear.7"]',NULL,'[]','[]','[]','{}','','','["mlanthology"]','{"title":"mlanthology:gee2029flash","authors":"mlanthology:gee2029flash","venue":"mlanthology:gee2029flash","abstract":"mlanthology:gee2029flash"}',NULL,'[]');
INSERT INTO "papers" VALUES(3,'p4shfweaekuv3',1,'Non-invasive Sensing of Plants','noninvasivesensingofplants','["Hu Haa"]',0,'A camera sees thirst before the leaves hang.','','','PLANT 2028','Proceedings of PLANT',2028,NULL,'','','["doi:10.5555/plant.1"]',NULL,'[]','[]','[]','{}','','','["mlanthology"]','{"title":"mlanthology:haa2028noninvasive","authors":"mlanthology:haa2028noninvasive","venue":"mlanthology:haa2028noninvasive","abstract":"mlanthology:haa2028noninvasive"}',NULL,'[]');
INSERT INTO "papers" VALUES(4,'pg7q72zb2iyfy',1,'A Non Invasive Probe for Sap Flow','anoninvasiveprobeforsapflow','["Ira Iko"]',0,'','','','PLANT 2028','Proceedings of PLANT',2028,NULL,'','','["doi:10.5555/plant.2"]',NULL,'[]','[]','[]','{}','','','["mlanthology"]','{"title":"mlanthology:iko2028noninvasive","authors":"mlanthology:iko2028noninvasive","venue":"mlanthology:iko2028noninvasive"}',NULL,'[]');
INSERT INTO "papers" VALUES(5,'peglcumjc3dle',1,'Invasive Species Found by Drones','invasivespeciesfoundbydrones','["Jo Jay"]',0,'','','','PLANT 2027','Proceedings of PLANT',2027,NULL,'','','["doi:10.5555/plant.3"]',NULL,'[]','[]','[]','{}','','','["mlanthology"]','{"title":"mlanthology:jay2027invasive","authors":"mlanthology:jay2027invasive","venue":"mlanthology:jay2027invasive"}',NULL,'[]');
INSERT INTO "papers" VALUES(6,'pyi33shfoacwt',1,'C++ Templates as a Proof Assistant','ctemplatesasaproofassistant','["Ki Kay","T. O. de Ruyt Example"]',0,'','','','CODE 2026','Proceedings of CODE',2026,NULL,'','','["doi:10.5555/code.1"]',NULL,'[]','[]','[]','{}','','','["mlanthology"]','{"title":"mlanthology:kay2026cpp","authors":"mlanthology:kay2026cpp","venue":"mlanthology:kay2026cpp"}',NULL,'[]');
INSERT INTO "papers" VALUES(7,'pfo27nhsv5q22',1,'A Verified C Kernel','averifiedckernel','["Lu Lou"]',0,'','','','CODE 2026','Proceedings of CODE',2026,NULL,'','','["doi:10.5555/code.2"]',NULL,'[]','[]','[]','{}','','','["mlanthology"]','{"title":"mlanthology:lou2026c","authors":"mlanthology:lou2026c","venue":"mlanthology:lou2026c"}',NULL,'[]');
INSERT INTO "papers" VALUES(8,'plzlxdqvpfghu',1,'Tiler 2.0','tiler20','["Mo Moe"]',0,'','','','TILE 2025','Proceedings of TILE',2025,NULL,'','','["doi:10.5555/tiles.20"]',NULL,'[]','[]','[]','{}','','','["mlanthology"]','{"title":"mlanthology:moe2025tiler","authors":"mlanthology:moe2025tiler","venue":"mlanthology:moe2025tiler"}',NULL,'[]');
INSERT INTO "papers" VALUES(9,'pcxwrwzh5tdmm',1,'Laying 2 Tiles with 0 Gaps','laying2tileswith0gaps','["Nu Nun"]',0,'','','','TILE 2025','Proceedings of TILE',2025,NULL,'','','["doi:10.5555/tiles.21"]',NULL,'[]','[]','[]','{}','','','["mlanthology"]','{"title":"mlanthology:nun2025gaps","authors":"mlanthology:nun2025gaps","venue":"mlanthology:nun2025gaps"}',NULL,'[]');
INSERT INTO "papers" VALUES(10,'prh2v55qokzqi',1,'量子計算入門','量子計算入門','["小田 花子"]',0,'量子ビットの基礎から始める。','','','QUANT 2024','Proceedings of QUANT',2024,NULL,'','','["doi:10.5555/quant.1"]',NULL,'[]','[]','[]','{}','','','["mlanthology"]','{"title":"mlanthology:oda2024quantum","authors":"mlanthology:oda2024quantum","venue":"mlanthology:oda2024quantum","abstract":"mlanthology:oda2024quantum"}',NULL,'[]');
INSERT INTO "papers" VALUES(11,'p7w2wynhwxawj',1,'On α-Trees: a Résumé','onalphatreesaresume','["Pat Poe"]',0,'Every α-tree has a short résumé, which we find by walking it once from its deepest leaf.','','','TREE 2024','Proceedings of TREE',2024,NULL,'','','["doi:10.5555/tree.1"]',NULL,'[]','[]','[]','{}','','','["mlanthology"]','{"title":"mlanthology:poe2024alpha","authors":"mlanthology:poe2024alpha","venue":"mlanthology:poe2024alpha","abstract":"mlanthology:poe2024alpha"}',NULL,'[]');
INSERT INTO "papers" VALUES(12,'p3lh5o6x7raue',1,'Sailing Boats Seen from Orbit','sailingboatsseenfromorbit','["Qi Qin"]',0,'','','','BOAT 2023','Proceedings of BOAT',2023,NULL,'','','["doi:10.5555/volume"]',NULL,'[]','[]','[]','{}','','','["mlanthology"]','{"title":"mlanthology:qin2023one","authors":"mlanthology:qin2023one","venue":"mlanthology:qin2023one"}',NULL,'[]');
INSERT INTO "papers" VALUES(13,'pvyzhs2hdwy7g',1,'Grammar of Whale Song','grammarofwhalesong','["Ru Roe"]',0,'','','','BOAT 2023','Proceedings of BOAT',2023,NULL,'','','["doi:10.5555/volume"]',NULL,'[]','[]','[]','{}','','','["mlanthology"]','{"title":"mlanthology:roe2023two","authors":"mlanthology:roe2023two","venue":"mlanthology:roe2023two"}',NULL,'[]');
INSERT INTO "papers" VALUES(14,'phlqwgejeaqii',1,'Preface','preface','["Su Sea"]',0,'','','','BOAT 2022','Proceedings of BOAT',2022,NULL,'','','["doi:10.5555/preface.1"]',NULL,'[]','[]','[]','{}','','','["mlanthology"]','{"title":"mlanthology:sea2022preface","authors":"mlanthology:sea2022preface","venue":"mlanthology:sea2022preface"}',NULL,'[]');
INSERT INTO "papers" VALUES(15,'psq3irgkhczau',1,'Preface','preface','["Ti Tao"]',0,'','','','BOAT 2023','Proceedings of BOAT',2023,NULL,'','','["doi:10.5555/preface.2"]',NULL,'[]','[]','[]','{}','','','["mlanthology"]','{"title":"mlanthology:tao2023preface","authors":"mlanthology:tao2023preface","venue":"mlanthology:tao2023preface"}',NULL,'[]');
INSERT INTO "papers" VALUES(16,'pc2yghaeqqe2e',1,'Walks on Sparse Lattices','walksonsparselattices','["Ulf Uhu"]',0,'A walk on a sparse lattice returns. We count how often.','','','','',2003,'2003-09-08','','','["arxiv:math/0309136"]',2,'["math.GT"]','[]','[]','{}','','','["arxiv-snapshot"]','{"title":"arxiv-snapshot:math/0309136","authors":"arxiv-snapshot:math/0309136","abstract":"arxiv-snapshot:math/0309136","categories":"arxiv-snapshot:math/0309136"}',NULL,'[]');
INSERT INTO "papers" VALUES(17,'pclsudvxkfyaa',1,'Bounds that Were Wrong','boundsthatwerewrong','["Vi Voe"]',0,'','','','','',2031,'2031-01-01','withdrawn','','["arxiv:2101.00011"]',3,'["cs.LG"]','[]','[]','{}','This paper has been withdrawn by the authors due to an error in Section 4','','["arxiv-snapshot"]','{"title":"arxiv-snapshot:2101.00011","authors":"arxiv-snapshot:2101.00011","status":"arxiv-snapshot:2101.00011","categories":"arxiv-snapshot:2101.00011","comment":"arxiv-snapshot:2101.00011"}',NULL,'[]');
INSERT INTO "papers" VALUES(18,'pqelqhql2hjli',1,'Xenon Bounds','xenonbounds','["Łukasz Nguyễn","Xi Xu"]',0,'','Xenon clings to cages of ice. The authors bound how much, from the cage''s size alone.','','','',2031,'2031-02-03','','','["arxiv:2101.00012"]',NULL,'["physics.chem-ph"]','[]','[]','{}','','','["octavo"]','{"title":"octavo:known/xenonbounds","authors":"octavo:known/xenonbounds","summary":"octavo:known/xenonbounds","categories":"octavo:known/xenonbounds"}',NULL,'[]');
INSERT INTO "papers" VALUES(19,'poou7vtcldb35',1,'Tiles are sufficient for fast layout','tilesaresufficientforfastlayout','["Ann Bee","Cy Dee","Łukasz Nguyễn"]',0,'Laying out a floor takes long when every tile is tried. A greedy layout with O(n) tiles is enough, and it is 4.2× quicker on the Quarry benchmark.','','','TILE 2031','Proceedings of TILE',2031,'2030-11-02','','','["arxiv:2101.00010","openreview:AbC12xYz90","pmlr:v900/bee31a","doi:10.5555/tiles.1"]',3,'["cs.LG","stat.ML"]','[]','[]','{}','','','["pmlr","mlanthology","arxiv-snapshot"]','{"title":"pmlr:v900/bee31a","authors":"pmlr:v900/bee31a","venue":"pmlr:v900/bee31a","abstract":"mlanthology:bee2031tiles","categories":"arxiv-snapshot:2101.00010"}',NULL,'[]');
CREATE TABLE records (
                pk INTEGER PRIMARY KEY,
                source TEXT NOT NULL,
                key TEXT NOT NULL,
                paper INTEGER NOT NULL REFERENCES papers (pk),
                digest BLOB NOT NULL,
                claim TEXT NOT NULL,
                added_at TEXT NOT NULL,
                changed_at TEXT NOT NULL, linked INTEGER NOT NULL DEFAULT 0,
                UNIQUE (source, key));
INSERT INTO "records" VALUES(1,'mlanthology','bee2031tiles',19,X'FB996636E7764DE04D43595E92E755B3','{"source":"mlanthology","key":"bee2031tiles","title":"Tiles Are Sufficient for Fast Layout","authors":[{"name":"Ann Bee","given":"Ann","family":"Bee"},{"name":"Cy Dee","given":"Cy","family":"Dee"},{"name":"Łukasz Nguyễn","given":"Łukasz","family":"Nguyễn"}],"identifiers":["doi:10.5555/tiles.1","openreview:AbC12xYz90"],"abstract":{"text":"Laying out a floor takes long when every tile is tried. A greedy layout with $O(n)$ tiles is enough, and it is $4.2\\times$ quicker on the Quarry benchmark.","markup":"mixed"},"venue":{"name":"Proceedings of TILE","short":"TILE","year":2031}}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(2,'arxiv-snapshot','2101.00010',19,X'A0BAE53D3F6A4E00B16D34F8B437F852','{"source":"arxiv-snapshot","key":"2101.00010","title":"Fast tiles are enough","authors":[{"name":"Ann Bee","given":"Ann","family":"Bee"},{"name":"Cy Dee","given":"Cy","family":"Dee"},{"name":"Łukasz Nguyễn","given":"Łukasz","family":"Nguyễn"}],"identifiers":["arxiv:2101.00010","doi:10.5555/tiles.1"],"abstract":"We show that greedy tiles are enough for laying out a floor in linear time.","submitted_on":"2030-11-02","versions":[{"number":1},{"number":2},{"number":3}],"categories":["cs.LG","stat.ML"]}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(3,'pmlr','v900/bee31a',19,X'09164AC34F9CB1D61C118F09B0C8F513','{"source":"pmlr","key":"v900/bee31a","title":"Tiles are sufficient for fast layout","authors":[{"name":"Ann Bee","given":"Ann","family":"Bee"},{"name":"Cy Dee","given":"Cy","family":"Dee"},{"name":"Łukasz Nguyễn","given":"Łukasz","family":"Nguyễn"}],"identifiers":["pmlr:v900/bee31a","openreview:AbC12xYz90"],"venue":{"name":"Proceedings of TILE","short":"TILE","year":2031}}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(4,'mlanthology','eff2030flashtp',1,X'84C544EC50CF2454CDCC581206925054','{"source":"mlanthology","key":"eff2030flashtp","title":"FlashTP: Tensor Products without Regret","authors":[{"name":"Ee Eff","given":"Ee","family":"Eff"},{"name":"Wei Wang","given":"Wei","family":"Wang"}],"identifiers":["openreview:FlashTP001"],"abstract":"Equivariant networks spend their time in tensor products. FlashTP fuses the kernels and skips what is zero.","venue":{"name":"Proceedings of TILE","short":"TILE","year":2030}}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(5,'mlanthology','gee2029flash',2,X'05F881D79505F6D264076BA486BA04E3','{"source":"mlanthology","key":"gee2029flash","title":"Flash Memory Wear in Embedded Recorders","authors":[{"name":"Gil Gee","given":"Gil","family":"Gee"},{"name":"Wei Wang","given":"Wei","family":"Wang"}],"identifiers":["doi:10.5555/wear.7"],"abstract":"Memory cells wear out. We predict their remaining life from the voltage that a write needs.","venue":{"name":"Proceedings of WEAR","short":"WEAR","year":2029}}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(6,'mlanthology','haa2028noninvasive',3,X'CB9B4925D0FA883013373009FA7C6316','{"source":"mlanthology","key":"haa2028noninvasive","title":"Non-invasive Sensing of Plants","authors":[{"name":"Hu Haa","given":"Hu","family":"Haa"}],"identifiers":["doi:10.5555/plant.1"],"abstract":"A camera sees thirst before the leaves hang.","venue":{"name":"Proceedings of PLANT","short":"PLANT","year":2028}}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(7,'mlanthology','iko2028noninvasive',4,X'51CB1A51F17EABD0F1D81450A1190BDD','{"source":"mlanthology","key":"iko2028noninvasive","title":"A Non Invasive Probe for Sap Flow","authors":[{"name":"Ira Iko","given":"Ira","family":"Iko"}],"identifiers":["doi:10.5555/plant.2"],"venue":{"name":"Proceedings of PLANT","short":"PLANT","year":2028}}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(8,'mlanthology','jay2027invasive',5,X'5570119FE8EABA523F9D163449B08D54','{"source":"mlanthology","key":"jay2027invasive","title":"Invasive Species Found by Drones","authors":[{"name":"Jo Jay","given":"Jo","family":"Jay"}],"identifiers":["doi:10.5555/plant.3"],"venue":{"name":"Proceedings of PLANT","short":"PLANT","year":2027}}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(9,'mlanthology','kay2026cpp',6,X'7AD2614C0BA51C0A79A7141777CBB71A','{"source":"mlanthology","key":"kay2026cpp","title":"C++ Templates as a Proof Assistant","authors":[{"name":"Ki Kay","given":"Ki","family":"Kay"},{"name":"T. O. de Ruyt Example","given":"T. O.","family":"de Ruyt Example"}],"identifiers":["doi:10.5555/code.1"],"venue":{"name":"Proceedings of CODE","short":"CODE","year":2026}}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(10,'mlanthology','lou2026c',7,X'2B6506CB9CD300F96473BB131AC56F6B','{"source":"mlanthology","key":"lou2026c","title":"A Verified C Kernel","authors":[{"name":"Lu Lou","given":"Lu","family":"Lou"}],"identifiers":["doi:10.5555/code.2"],"venue":{"name":"Proceedings of CODE","short":"CODE","year":2026}}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(11,'mlanthology','moe2025tiler',8,X'263492079E226030921BF128B3CB06A8','{"source":"mlanthology","key":"moe2025tiler","title":"Tiler 2.0","authors":[{"name":"Mo Moe","given":"Mo","family":"Moe"}],"identifiers":["doi:10.5555/tiles.20"],"venue":{"name":"Proceedings of TILE","short":"TILE","year":2025}}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(12,'mlanthology','nun2025gaps',9,X'0F2D6E0A47316F633FB6C3E8291E7AC3','{"source":"mlanthology","key":"nun2025gaps","title":"Laying 2 Tiles with 0 Gaps","authors":[{"name":"Nu Nun","given":"Nu","family":"Nun"}],"identifiers":["doi:10.5555/tiles.21"],"venue":{"name":"Proceedings of TILE","short":"TILE","year":2025}}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(13,'mlanthology','oda2024quantum',10,X'F6DE360147E1EAEDAE5EA070C1476C14','{"source":"mlanthology","key":"oda2024quantum","title":"量子計算入門","authors":[{"name":"小田 花子","given":"花子","family":"小田"}],"identifiers":["doi:10.5555/quant.1"],"abstract":"量子ビットの基礎から始める。","venue":{"name":"Proceedings of QUANT","short":"QUANT","year":2024}}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(14,'mlanthology','poe2024alpha',11,X'5BC71CCA511E3AE684C21915BE68A92F','{"source":"mlanthology","key":"poe2024alpha","title":{"text":"On $\\alpha$-Trees: a Résumé","markup":"mixed"},"authors":[{"name":"Pat Poe","given":"Pat","family":"Poe"}],"identifiers":["doi:10.5555/tree.1"],"abstract":{"text":"Every $\\alpha$-tree has a short résumé, which we find by walking it once from its deepest leaf.","markup":"mixed"},"venue":{"name":"Proceedings of TREE","short":"TREE","year":2024}}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(15,'mlanthology','qin2023one',12,X'53AFA3A528935D4C0A9307FCA58A4C54','{"source":"mlanthology","key":"qin2023one","title":"Sailing Boats Seen from Orbit","authors":[{"name":"Qi Qin","given":"Qi","family":"Qin"}],"identifiers":["doi:10.5555/volume"],"venue":{"name":"Proceedings of BOAT","short":"BOAT","year":2023}}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(16,'mlanthology','roe2023two',13,X'37C5BE7704EB4D575E115325B84753ED','{"source":"mlanthology","key":"roe2023two","title":"Grammar of Whale Song","authors":[{"name":"Ru Roe","given":"Ru","family":"Roe"}],"identifiers":["doi:10.5555/volume"],"venue":{"name":"Proceedings of BOAT","short":"BOAT","year":2023}}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(17,'mlanthology','sea2022preface',14,X'612C6000CD9CC0FC4FE9D9839A0B8F9D','{"source":"mlanthology","key":"sea2022preface","title":"Preface","authors":[{"name":"Su Sea","given":"Su","family":"Sea"}],"identifiers":["doi:10.5555/preface.1"],"venue":{"name":"Proceedings of BOAT","short":"BOAT","year":2022}}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(18,'mlanthology','tao2023preface',15,X'C15B4A913BBCEC03E245F3C7495A4CDC','{"source":"mlanthology","key":"tao2023preface","title":"Preface","authors":[{"name":"Ti Tao","given":"Ti","family":"Tao"}],"identifiers":["doi:10.5555/preface.2"],"venue":{"name":"Proceedings of BOAT","short":"BOAT","year":2023}}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(19,'arxiv-snapshot','math/0309136',16,X'EE2E0CB59C8DC325C282F44FF346ACF1','{"source":"arxiv-snapshot","key":"math/0309136","title":"Walks on Sparse Lattices","authors":[{"name":"Ulf Uhu","given":"Ulf","family":"Uhu"}],"identifiers":["arxiv:math/0309136"],"abstract":"A walk on a sparse lattice returns. We count how often.","submitted_on":"2003-09-08","versions":[{"number":1},{"number":2}],"categories":["math.GT"]}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(20,'arxiv-snapshot','2101.00011',17,X'B70AB4F48A5543DF15DCEF0E4C68359D','{"source":"arxiv-snapshot","key":"2101.00011","title":"Bounds that Were Wrong","authors":[{"name":"Vi Voe","given":"Vi","family":"Voe"}],"identifiers":["arxiv:2101.00011"],"status":"withdrawn","comment":"This paper has been withdrawn by the authors due to an error in Section 4","submitted_on":"2031-01-01","versions":[{"number":1},{"number":2},{"number":3}],"categories":["cs.LG"]}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
INSERT INTO "records" VALUES(21,'octavo','known/xenonbounds',18,X'0263BB55BFE2B66920A6E30495C807DA','{"source":"octavo","key":"known/xenonbounds","title":"Xenon Bounds","authors":[{"name":"Łukasz Nguyễn","given":"Łukasz","family":"Nguyễn"},{"name":"Xi Xu","given":"Xi","family":"Xu"}],"identifiers":["arxiv:2101.00012"],"summary":"Xenon clings to cages of ice. The authors bound how much, from the cage''s size alone.","submitted_on":"2031-02-03","categories":["physics.chem-ph"]}','2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00',1);
CREATE TABLE removed (pk INTEGER PRIMARY KEY, seq INTEGER NOT NULL);
CREATE TABLE rulings (
                act INTEGER NOT NULL REFERENCES acts (pk) ON DELETE CASCADE,
                one_source TEXT NOT NULL,
                one_key TEXT NOT NULL,
                other_source TEXT NOT NULL,
                other_key TEXT NOT NULL);
CREATE TABLE runs (
                pk INTEGER PRIMARY KEY,
                source TEXT NOT NULL,
                target TEXT NOT NULL,
                pid INTEGER NOT NULL,
                started_at TEXT NOT NULL,
                ended_at TEXT,
                state TEXT NOT NULL,
                counts TEXT NOT NULL);
INSERT INTO "runs" VALUES(1,'jsonl','world.jsonl',30884,'2026-11-30T23:24:23+00:00','2026-11-30T23:24:23+00:00','complete','{"added": 21}');
CREATE TABLE saved_searches (name TEXT PRIMARY KEY, query TEXT NOT NULL, at TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE shelves (
                paper TEXT PRIMARY KEY,
                at TEXT NOT NULL,
                saved INTEGER NOT NULL,
                tagged INTEGER NOT NULL,
                noted INTEGER NOT NULL,
                kept INTEGER NOT NULL,
                read_at TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO "shelves" VALUES('p4rjydzi5a4dx','2026-11-30T23:24:23.997311+00:00',0,0,1,1,'');
INSERT INTO "shelves" VALUES('pd6frrjjtg562','2026-11-30T23:24:23.997215+00:00',1,1,0,1,'');
CREATE TABLE tags (
                paper TEXT NOT NULL,
                tag TEXT NOT NULL,
                at TEXT NOT NULL,
                given TEXT);
INSERT INTO "tags" VALUES('pd6frrjjtg562','tiles','2026-11-30T23:24:23.997215+00:00',NULL);
CREATE TABLE tombstones (
                source TEXT NOT NULL,
                key TEXT NOT NULL,
                identifiers TEXT NOT NULL,
                paper TEXT NOT NULL,
                deleted_on TEXT,
                noted_at TEXT NOT NULL,
                PRIMARY KEY (source, key)) WITHOUT ROWID;
CREATE TABLE waiting (
                source TEXT NOT NULL,
                key TEXT NOT NULL,
                claim TEXT NOT NULL,
                added_at TEXT NOT NULL,
                PRIMARY KEY (source, key)) WITHOUT ROWID;
CREATE INDEX papers_seq ON papers (seq);
CREATE INDEX papers_title_key ON papers (title_key);
CREATE INDEX records_paper ON records (paper);
CREATE INDEX identifiers_record ON identifiers (record);
CREATE INDEX faults_run ON faults (run);
CREATE INDEX batches_want ON batches (source, want, day);
CREATE INDEX batches_run ON batches (run);
CREATE INDEX announced_key ON announced (source, key);
CREATE INDEX announced_day ON announced (source, day);
CREATE INDEX records_unlinked ON records (pk) WHERE linked = 0;
CREATE INDEX rulings_act ON rulings (act);
CREATE INDEX doubts_other ON doubts (other_source, other_key);
CREATE UNIQUE INDEX marks_said ON marks (coalesce(given, paper), kind);
CREATE UNIQUE INDEX tags_said ON tags (coalesce(given, paper), tag);
CREATE UNIQUE INDEX notes_said ON notes (coalesce(given, paper));
CREATE INDEX marks_paper ON marks (paper, kind, at);
CREATE INDEX tags_paper ON tags (paper, tag, at);
CREATE INDEX notes_paper ON notes (paper, at);
CREATE INDEX marks_kind ON marks (kind, paper);
CREATE INDEX tags_tag ON tags (tag, at, paper, given);
CREATE INDEX marks_given ON marks (given) WHERE given IS NOT NULL;
CREATE INDEX tags_given ON tags (given) WHERE given IS NOT NULL;
CREATE INDEX notes_given ON notes (given) WHERE given IS NOT NULL;
CREATE INDEX shelves_kept ON shelves (at, paper) WHERE kept = 1;
CREATE INDEX shelves_unread ON shelves (at, paper) WHERE kept = 1 AND read_at = '';
CREATE INDEX shelves_saved ON shelves (at, paper) WHERE saved = 1;
CREATE INDEX shelves_tagged ON shelves (at, paper) WHERE tagged = 1;
CREATE INDEX shelves_noted ON shelves (at, paper) WHERE noted = 1;
CREATE INDEX shelves_read ON shelves (read_at, paper) WHERE read_at <> '';
CREATE TRIGGER marks_on_insert AFTER INSERT ON marks BEGIN DELETE FROM shelves WHERE paper = NEW.paper;
        INSERT INTO shelves
        SELECT NEW.paper, coalesce(max(CASE WHEN kind <> 'read' THEN at END), max(at)), max(kind = 'saved'),
            max(kind = 'tag'), max(kind = 'note'), max(kind <> 'read'),
            coalesce(max(CASE WHEN kind = 'read' THEN at END), '')
        FROM (SELECT kind, at FROM marks WHERE paper = NEW.paper UNION ALL SELECT 'tag' AS kind, at FROM tags WHERE paper = NEW.paper UNION ALL SELECT 'note' AS kind, at FROM notes WHERE paper = NEW.paper) HAVING count(*) > 0; END;
CREATE TRIGGER marks_on_update AFTER UPDATE OF paper ON marks BEGIN DELETE FROM shelves WHERE paper = OLD.paper;
        INSERT INTO shelves
        SELECT OLD.paper, coalesce(max(CASE WHEN kind <> 'read' THEN at END), max(at)), max(kind = 'saved'),
            max(kind = 'tag'), max(kind = 'note'), max(kind <> 'read'),
            coalesce(max(CASE WHEN kind = 'read' THEN at END), '')
        FROM (SELECT kind, at FROM marks WHERE paper = OLD.paper UNION ALL SELECT 'tag' AS kind, at FROM tags WHERE paper = OLD.paper UNION ALL SELECT 'note' AS kind, at FROM notes WHERE paper = OLD.paper) HAVING count(*) > 0; DELETE FROM shelves WHERE paper = NEW.paper;
        INSERT INTO shelves
        SELECT NEW.paper, coalesce(max(CASE WHEN kind <> 'read' THEN at END), max(at)), max(kind = 'saved'),
            max(kind = 'tag'), max(kind = 'note'), max(kind <> 'read'),
            coalesce(max(CASE WHEN kind = 'read' THEN at END), '')
        FROM (SELECT kind, at FROM marks WHERE paper = NEW.paper UNION ALL SELECT 'tag' AS kind, at FROM tags WHERE paper = NEW.paper UNION ALL SELECT 'note' AS kind, at FROM notes WHERE paper = NEW.paper) HAVING count(*) > 0; END;
CREATE TRIGGER marks_on_delete AFTER DELETE ON marks BEGIN DELETE FROM shelves WHERE paper = OLD.paper;
        INSERT INTO shelves
        SELECT OLD.paper, coalesce(max(CASE WHEN kind <> 'read' THEN at END), max(at)), max(kind = 'saved'),
            max(kind = 'tag'), max(kind = 'note'), max(kind <> 'read'),
            coalesce(max(CASE WHEN kind = 'read' THEN at END), '')
        FROM (SELECT kind, at FROM marks WHERE paper = OLD.paper UNION ALL SELECT 'tag' AS kind, at FROM tags WHERE paper = OLD.paper UNION ALL SELECT 'note' AS kind, at FROM notes WHERE paper = OLD.paper) HAVING count(*) > 0; END;
CREATE TRIGGER tags_on_insert AFTER INSERT ON tags BEGIN DELETE FROM shelves WHERE paper = NEW.paper;
        INSERT INTO shelves
        SELECT NEW.paper, coalesce(max(CASE WHEN kind <> 'read' THEN at END), max(at)), max(kind = 'saved'),
            max(kind = 'tag'), max(kind = 'note'), max(kind <> 'read'),
            coalesce(max(CASE WHEN kind = 'read' THEN at END), '')
        FROM (SELECT kind, at FROM marks WHERE paper = NEW.paper UNION ALL SELECT 'tag' AS kind, at FROM tags WHERE paper = NEW.paper UNION ALL SELECT 'note' AS kind, at FROM notes WHERE paper = NEW.paper) HAVING count(*) > 0; END;
CREATE TRIGGER tags_on_update AFTER UPDATE OF paper ON tags BEGIN DELETE FROM shelves WHERE paper = OLD.paper;
        INSERT INTO shelves
        SELECT OLD.paper, coalesce(max(CASE WHEN kind <> 'read' THEN at END), max(at)), max(kind = 'saved'),
            max(kind = 'tag'), max(kind = 'note'), max(kind <> 'read'),
            coalesce(max(CASE WHEN kind = 'read' THEN at END), '')
        FROM (SELECT kind, at FROM marks WHERE paper = OLD.paper UNION ALL SELECT 'tag' AS kind, at FROM tags WHERE paper = OLD.paper UNION ALL SELECT 'note' AS kind, at FROM notes WHERE paper = OLD.paper) HAVING count(*) > 0; DELETE FROM shelves WHERE paper = NEW.paper;
        INSERT INTO shelves
        SELECT NEW.paper, coalesce(max(CASE WHEN kind <> 'read' THEN at END), max(at)), max(kind = 'saved'),
            max(kind = 'tag'), max(kind = 'note'), max(kind <> 'read'),
            coalesce(max(CASE WHEN kind = 'read' THEN at END), '')
        FROM (SELECT kind, at FROM marks WHERE paper = NEW.paper UNION ALL SELECT 'tag' AS kind, at FROM tags WHERE paper = NEW.paper UNION ALL SELECT 'note' AS kind, at FROM notes WHERE paper = NEW.paper) HAVING count(*) > 0; END;
CREATE TRIGGER tags_on_delete AFTER DELETE ON tags BEGIN DELETE FROM shelves WHERE paper = OLD.paper;
        INSERT INTO shelves
        SELECT OLD.paper, coalesce(max(CASE WHEN kind <> 'read' THEN at END), max(at)), max(kind = 'saved'),
            max(kind = 'tag'), max(kind = 'note'), max(kind <> 'read'),
            coalesce(max(CASE WHEN kind = 'read' THEN at END), '')
        FROM (SELECT kind, at FROM marks WHERE paper = OLD.paper UNION ALL SELECT 'tag' AS kind, at FROM tags WHERE paper = OLD.paper UNION ALL SELECT 'note' AS kind, at FROM notes WHERE paper = OLD.paper) HAVING count(*) > 0; END;
CREATE TRIGGER notes_on_insert AFTER INSERT ON notes BEGIN DELETE FROM shelves WHERE paper = NEW.paper;
        INSERT INTO shelves
        SELECT NEW.paper, coalesce(max(CASE WHEN kind <> 'read' THEN at END), max(at)), max(kind = 'saved'),
            max(kind = 'tag'), max(kind = 'note'), max(kind <> 'read'),
            coalesce(max(CASE WHEN kind = 'read' THEN at END), '')
        FROM (SELECT kind, at FROM marks WHERE paper = NEW.paper UNION ALL SELECT 'tag' AS kind, at FROM tags WHERE paper = NEW.paper UNION ALL SELECT 'note' AS kind, at FROM notes WHERE paper = NEW.paper) HAVING count(*) > 0; END;
CREATE TRIGGER notes_on_update AFTER UPDATE OF paper ON notes BEGIN DELETE FROM shelves WHERE paper = OLD.paper;
        INSERT INTO shelves
        SELECT OLD.paper, coalesce(max(CASE WHEN kind <> 'read' THEN at END), max(at)), max(kind = 'saved'),
            max(kind = 'tag'), max(kind = 'note'), max(kind <> 'read'),
            coalesce(max(CASE WHEN kind = 'read' THEN at END), '')
        FROM (SELECT kind, at FROM marks WHERE paper = OLD.paper UNION ALL SELECT 'tag' AS kind, at FROM tags WHERE paper = OLD.paper UNION ALL SELECT 'note' AS kind, at FROM notes WHERE paper = OLD.paper) HAVING count(*) > 0; DELETE FROM shelves WHERE paper = NEW.paper;
        INSERT INTO shelves
        SELECT NEW.paper, coalesce(max(CASE WHEN kind <> 'read' THEN at END), max(at)), max(kind = 'saved'),
            max(kind = 'tag'), max(kind = 'note'), max(kind <> 'read'),
            coalesce(max(CASE WHEN kind = 'read' THEN at END), '')
        FROM (SELECT kind, at FROM marks WHERE paper = NEW.paper UNION ALL SELECT 'tag' AS kind, at FROM tags WHERE paper = NEW.paper UNION ALL SELECT 'note' AS kind, at FROM notes WHERE paper = NEW.paper) HAVING count(*) > 0; END;
CREATE TRIGGER notes_on_delete AFTER DELETE ON notes BEGIN DELETE FROM shelves WHERE paper = OLD.paper;
        INSERT INTO shelves
        SELECT OLD.paper, coalesce(max(CASE WHEN kind <> 'read' THEN at END), max(at)), max(kind = 'saved'),
            max(kind = 'tag'), max(kind = 'note'), max(kind <> 'read'),
            coalesce(max(CASE WHEN kind = 'read' THEN at END), '')
        FROM (SELECT kind, at FROM marks WHERE paper = OLD.paper UNION ALL SELECT 'tag' AS kind, at FROM tags WHERE paper = OLD.paper UNION ALL SELECT 'note' AS kind, at FROM notes WHERE paper = OLD.paper) HAVING count(*) > 0; END;
CREATE INDEX library_changes_act ON library_changes (act);
CREATE TRIGGER library_follows AFTER INSERT ON aliases BEGIN
                UPDATE marks SET given = coalesce(given, paper), paper = NEW.paper WHERE paper = NEW.id;
                UPDATE tags SET given = coalesce(given, paper), paper = NEW.paper WHERE paper = NEW.id;
                UPDATE notes SET given = coalesce(given, paper), paper = NEW.paper WHERE paper = NEW.id;
                DELETE FROM gone_papers WHERE id = NEW.id;
            END;
CREATE TRIGGER library_returns AFTER INSERT ON papers WHEN EXISTS (SELECT 1 FROM marks WHERE given = NEW.id) OR EXISTS (SELECT 1 FROM tags WHERE given = NEW.id) OR EXISTS (SELECT 1 FROM notes WHERE given = NEW.id) OR EXISTS (SELECT 1 FROM gone_papers WHERE id = NEW.id) BEGIN UPDATE marks SET paper = NEW.id, given = NULL WHERE given = NEW.id; UPDATE tags SET paper = NEW.id, given = NULL WHERE given = NEW.id; UPDATE notes SET paper = NEW.id, given = NULL WHERE given = NEW.id; DELETE FROM gone_papers WHERE id = NEW.id; END;
CREATE TRIGGER library_returns_renamed AFTER UPDATE OF id ON papers
            WHEN NEW.id <> OLD.id AND (EXISTS (SELECT 1 FROM marks WHERE given = NEW.id) OR EXISTS (SELECT 1 FROM tags WHERE given = NEW.id) OR EXISTS (SELECT 1 FROM notes WHERE given = NEW.id) OR EXISTS (SELECT 1 FROM gone_papers WHERE id = NEW.id)) BEGIN UPDATE marks SET paper = NEW.id, given = NULL WHERE given = NEW.id; UPDATE tags SET paper = NEW.id, given = NULL WHERE given = NEW.id; UPDATE notes SET paper = NEW.id, given = NULL WHERE given = NEW.id; DELETE FROM gone_papers WHERE id = NEW.id; END;
CREATE TRIGGER library_keeps BEFORE DELETE ON papers
                WHEN EXISTS (SELECT 1 FROM shelves WHERE paper = OLD.id)
            BEGIN
                INSERT OR REPLACE INTO gone_papers
                VALUES (OLD.id, OLD.title, OLD.authors, OLD.year, OLD.identifiers);
            END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('papers',19);
INSERT INTO "sqlite_sequence" VALUES('library_acts',1);
COMMIT;
